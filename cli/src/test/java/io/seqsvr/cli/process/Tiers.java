package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** StoreSvr, AllocSvr and router as processes of their own: the examples in ops/ with other ports and directories. */
final class Tiers implements AutoCloseable {
    /** The tiers, in the order in which each finds what it needs. */
    enum Tier {
        STORESVR(7711),
        ALLOCSVR(7721),
        ROUTER(7700);

        private final int portInExample;

        Tier(int portInExample) {
            this.portInExample = portInExample;
        }

        String command() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<Integer> PORTS_IN_EXAMPLES = List.of(7700, 7711, 7712, 7721);
    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
    private static final String DATA_IN_EXAMPLE = "seqsvr-data/n1";
    private final Path directory;
    private final Map<Integer, Integer> ports = new HashMap<>();
    private final Map<Tier, TierProcess> running = new EnumMap<>(Tier.class);

    /** Writes settings; nothing is formatted or started yet. */
    Tiers(Path directory) throws IOException {
        this.directory = directory;
        for (int port : PORTS_IN_EXAMPLES) {
            ports.put(port, FreePorts.other(ports.values()));
        }
        for (var tier : Tier.values()) {
            Files.writeString(config(tier), settings(tier));
        }
    }

    /** The example of a tier with the ports and the directory of this test. */
    private String settings(Tier tier) throws IOException {
        var example = Launcher.find().home().resolve("ops").resolve(tier.command() + ".yaml");
        var moved = ADDRESS.matcher(Files.readString(example)).replaceAll(address -> {
            int port = Integer.parseInt(address.group(1));
            return "127.0.0.1:" + ports.getOrDefault(port, port);
        });
        return moved.replace(DATA_IN_EXAMPLE, data().toString());
    }

    Path data() {
        return directory.resolve("data");
    }

    Path config(Tier tier) {
        return directory.resolve(tier.command() + ".yaml");
    }

    Endpoint endpoint(Tier tier) {
        return new Endpoint("127.0.0.1", port(tier.portInExample));
    }

    private int port(int inExample) {
        @Nullable Integer port = ports.get(inExample);
        if (port == null) {
            throw new IllegalStateException("no port stands for " + inExample);
        }
        return port;
    }

    /** The process of a tier that was started. */
    TierProcess get(Tier tier) {
        @Nullable TierProcess process = running.get(tier);
        if (process == null) {
            throw new IllegalStateException(tier + " was never started");
        }
        return process;
    }

    /** Starts a tier that does not run. */
    TierProcess start(Tier tier) {
        var process = TierProcess.start(
                tier.command(), config(tier), endpoint(tier), directory.resolve(tier.command() + ".log"));
        running.put(tier, process);
        return process;
    }

    /** Starts what does not run and waits until everything serves. */
    void startAll(Duration within) {
        for (var tier : Tier.values()) {
            if (!running.containsKey(tier) || !get(tier).isAlive()) {
                start(tier);
            }
        }
        for (var tier : Tier.values()) {
            get(tier).awaitHealth(TierProcess.HEALTHY, within);
        }
    }

    @Override
    public void close() {
        running.values().forEach(TierProcess::close);
    }
}
