package io.seqsvr.chaos.network;

import io.seqsvr.chaos.host.NativeCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A network of its own for processes of this machine: each host is a network namespace, and a switch in user space
 * between them carries every frame, or does not. The kernel's own tools for this (netem) are not in every kernel;
 * namespaces and TAP devices are. The first host is the namespace that this JVM runs in.
 *
 * <p>Needs root, Linux and a C compiler. When it is closed, or this JVM ends, however it does, nothing is left of it,
 * and hosts can reach nobody any more. Safe for use by many threads.
 */
public final class VirtualNetwork implements AutoCloseable {
    /** How this JVM is called in its own network. */
    public static final String US = "us";

    private static final Path TUN = Path.of("/dev/net/tun");
    private static final int MOST_SUBNETS = 200;
    private static final int ENDS_WITHIN_SECONDS = 10;

    private final List<String> hosts;
    private final String prefix;
    private final Map<String, String> namespaces = new HashMap<>();
    private final Process process;
    private final BufferedReader answers;

    private VirtualNetwork(List<String> hosts, String prefix, Process process) {
        this.hosts = hosts;
        this.prefix = prefix;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Why there can be no such network on this machine, if so. */
    public static Optional<String> missing() {
        var program = NativeCode.missing().or(() -> NativeCode.missing("nsenter", "util-linux"));
        if (program.isPresent()) {
            return program;
        }
        if (!Files.isWritable(TUN)) {
            return Optional.of("this user cannot open " + TUN + " (root, and the kernel's TUN/TAP are needed)");
        }
        return isRoot() ? Optional.empty() : Optional.of("only root can make network namespaces");
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Makes a network.
     *
     * @param directory gets the program of the switch
     * @param nodes names of the hosts besides {@link #US}, without spaces; from 1 to 62
     * @param seed of what the switch draws
     * @throws IllegalStateException if this machine does not let it, in the words of the switch
     */
    public static VirtualNetwork open(Path directory, List<String> nodes, long seed) {
        var hosts = new ArrayList<String>();
        hosts.add(US);
        hosts.addAll(nodes);
        var program = NativeCode.compile(VirtualNetwork.class, "network.c", directory);
        var prefix = freeSubnet();
        var line = new ArrayList<>(List.of(program.toString(), Long.toUnsignedString(seed), prefix));
        line.addAll(hosts);
        try {
            var network = new VirtualNetwork(List.copyOf(hosts), prefix, new ProcessBuilder(line).start());
            network.readNamespaces();
            return network;
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start the switch", failed);
        }
    }

    /** Three bytes of addresses of which this machine has none. */
    private static String freeSubnet() {
        Set<String> taken;
        try {
            taken = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(address -> address.getHostAddress())
                    .filter(text -> text.contains("."))
                    .map(text -> text.substring(0, text.lastIndexOf('.')))
                    .collect(Collectors.toSet());
        } catch (SocketException failed) {
            throw new UncheckedIOException(failed);
        }
        int first = (int) (ProcessHandle.current().pid() % MOST_SUBNETS);
        for (int i = 0; i < MOST_SUBNETS; i++) {
            var prefix = "10.83." + (first + i) % MOST_SUBNETS;
            if (!taken.contains(prefix)) {
                return prefix;
            }
        }
        throw new IllegalStateException("every network from 10.83.0 to 10.83." + (MOST_SUBNETS - 1) + " is taken");
    }

    private void readNamespaces() throws IOException {
        for (var host : hosts) {
            var line = answers.readLine();
            if (line == null || !line.startsWith(host + " ")) {
                close();
                throw new IllegalStateException("the switch made no host " + host + ": "
                        + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            }
            namespaces.put(host, "/proc/" + process.pid() + "/fd/" + line.substring(host.length() + 1));
        }
    }

    /** All hosts, this JVM's own first. */
    public List<String> hosts() {
        return hosts;
    }

    /** The IPv4 address of a host. */
    public String address(String host) {
        return prefix + "." + number(host);
    }

    private int number(String host) {
        int at = hosts.indexOf(host);
        if (at < 0) {
            throw new IllegalArgumentException("there is no host " + host + "; there are " + hosts);
        }
        return at + 1;
    }

    /** The same command, to be run on a host; its process has the same id as without. */
    public ProcessBuilder on(String host, ProcessBuilder command) {
        var namespace = namespaces.get(host);
        if (namespace == null) {
            throw new IllegalArgumentException("there is no host " + host + "; there are " + hosts);
        }
        var line = new ArrayList<>(List.of("nsenter", "--net=" + namespace));
        line.addAll(command.command());
        return command.command(line);
    }

    /** From now on a link does this; returns what it has done so far. */
    public LinkCounts set(String from, String to, LinkState state) {
        return ask(number(from) + " " + number(to) + " " + state.words());
    }

    /** What a link has done so far. */
    public LinkCounts counts(String from, String to) {
        return ask(number(from) + " " + number(to));
    }

    private synchronized LinkCounts ask(String command) {
        try {
            var out = process.getOutputStream();
            out.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            var answer = answers.readLine();
            if (answer == null) {
                throw new IOException("the switch has ended with exit code "
                        + process.onExit().join().exitValue());
            }
            return LinkCounts.parse(answer);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the switch, process " + process.pid() + ", does not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
