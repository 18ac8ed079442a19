package io.seqsvr.chaos.process;

import java.util.ArrayList;
import java.util.List;

/** All nodes on this machine's loopback, with nothing around them. */
public final class Loopback implements Site {
    private static final String ADDRESS = "127.0.0.1";

    private final List<Integer> ports = new ArrayList<>();

    @Override
    public synchronized Endpoint freeEndpoint(String node) {
        int port = FreePorts.other(ports);
        ports.add(port);
        return new Endpoint(ADDRESS, port);
    }

    @Override
    public synchronized Endpoint endpointAt(String node, int wanted) {
        if (ports.contains(wanted) || !FreePorts.isFree(wanted)) {
            return freeEndpoint(node);
        }
        ports.add(wanted);
        return new Endpoint(ADDRESS, wanted);
    }

    @Override
    public ProcessBuilder on(String node, ProcessBuilder command) {
        return command;
    }

    @Override
    public void close() {
        // Nothing was made.
    }
}
