package io.seqsvr.allocsvr;

import io.seqsvr.core.alloc.AllocatorLimits;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of one AllocSvr.
 *
 * @param name its name, borne by no other running AllocSvr of the cluster
 * @param listen where it listens; port 0 takes a free one
 * @param advertise under which address others reach it; where it listens if absent
 * @param store addresses of the StoreSvr peers
 * @param storeTimeout after which a command's outcome counts as unknown
 * @param maxWaiting requests that may wait for a raise or a confirmation
 * @param counterBytes memory that the counters of all users may take
 */
public record AllocSvrSettings(
        String name,
        HostPort listen,
        Optional<HostPort> advertise,
        List<HostPort> store,
        Duration storeTimeout,
        int maxWaiting,
        long counterBytes) {
    /** Where it listens if nothing is set. */
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 7721);
    /** After which a command's outcome counts as unknown. */
    public static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(2);
    /** Requests that may wait for a raise or a confirmation. */
    public static final int DEFAULT_MAX_WAITING = 10_000;
    /** Of the heap that the counters may take. */
    public static final int DEFAULT_COUNTER_PERCENT = 50;

    private static final int PERCENT = 100;

    /** Keeps a copy. */
    public AllocSvrSettings {
        store = List.copyOf(store);
    }

    /**
     * Reads the settings.
     *
     * @throws SettingsException with every problem at once
     */
    public static AllocSvrSettings read(SettingsReader file) throws SettingsException {
        var name = file.text("name");
        if (name.length() > StoreCommand.MAX_NAME) {
            file.problem("name has " + name.length() + " characters; it must have at most " + StoreCommand.MAX_NAME);
        }
        var listen = file.address("listen", DEFAULT_LISTEN);
        var advertise = file.advertise(listen);
        var store = file.addresses("store");
        var timeout = file.duration("store_timeout", DEFAULT_STORE_TIMEOUT);
        if (timeout.toMillis() < 100 || timeout.toSeconds() > 60) {
            file.problem("store_timeout is " + timeout.toMillis() + " ms; it must be from 100 ms to 60 s");
        }
        int maxWaiting = (int) file.number("max_waiting", DEFAULT_MAX_WAITING, 1, 1_000_000);
        int percent = (int) file.number("counter_memory_percent", DEFAULT_COUNTER_PERCENT, 1, 90);
        file.finish();
        return new AllocSvrSettings(name, listen, advertise, store, timeout, maxWaiting, partOfHeap(percent));
    }

    /**
     * Memory of this process.
     *
     * @param percent of its heap
     */
    public static long partOfHeap(int percent) {
        return Runtime.getRuntime().maxMemory() / PERCENT * percent;
    }

    /** What it keeps for its callers at most. */
    AllocatorLimits limits() {
        return new AllocatorLimits(maxWaiting, counterBytes);
    }
}
