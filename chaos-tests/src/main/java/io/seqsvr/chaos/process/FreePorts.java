package io.seqsvr.chaos.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.random.RandomGenerator;

/** Ports that nobody listens on. */
final class FreePorts {
    /**
     * Below those that the system gives to callers: a caller that tries a port of its own range until somebody listens
     * may be given that very port, and be connected to itself.
     */
    private static final int FIRST = 20_000;

    private static final int COUNT = 10_000;

    private FreePorts() {}

    /** A port that is free now and none of those that are spoken for. */
    static int other(Collection<Integer> taken) {
        while (true) {
            int port = FIRST + RandomGenerator.getDefault().nextInt(COUNT);
            if (!taken.contains(port) && isFree(port)) {
                return port;
            }
        }
    }

    static boolean isFree(int port) {
        try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
