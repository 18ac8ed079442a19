package io.seqsvr.client;

import io.seqsvr.core.front.CallLimits;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a client is to be: everything but the endpoints has a default that serves millions of calls a second. */
final class ClientSettings {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    /** Whoever closes a client waits for so long, and what goes wrong meanwhile is told to nobody. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private static final int OPEN_CALLS = 1 << 16;
    private static final int FRAMES_IN_FLIGHT = 2;
    private static final int CALLS_PER_FRAME = 1_000;
    private static final int REMEMBERED_USERS = 1 << 16;
    /** Lost replies are few: an owner that lives answers within milliseconds, or refuses. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    final List<HostPort> endpoints = new ArrayList<>();
    Optional<String> namespace = Optional.empty();
    Duration timeout = TIMEOUT;
    int openCalls = OPEN_CALLS;
    int framesInFlight = FRAMES_IN_FLIGHT;
    int callsPerFrame = CALLS_PER_FRAME;
    int rememberedUsers = REMEMBERED_USERS;
    Duration patience = PATIENCE;
    boolean viaEndpoint;

    CallLimits limits() {
        return new CallLimits(framesInFlight, callsPerFrame, openCalls, patience.toNanos());
    }

    static int between(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from " + least + " to " + most);
        }
        return value;
    }

    void timeout(Duration wanted) {
        if (wanted.compareTo(SHORTEST_TIMEOUT) < 0 || wanted.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + wanted + "; it must be from 1 ms to 1 h");
        }
        timeout = wanted;
    }

    void endpoint(HostPort wanted) {
        if (wanted.port() == 0) {
            throw new IllegalArgumentException(
                    "endpoint is " + wanted + "; nobody can be called at port 0: name one from 1 to 65535");
        }
        endpoints.add(wanted);
    }

    /** The same, whatever is said here later. */
    ClientSettings copy() {
        var copy = new ClientSettings();
        copy.endpoints.addAll(endpoints);
        copy.namespace = namespace;
        copy.timeout = timeout;
        copy.openCalls = openCalls;
        copy.framesInFlight = framesInFlight;
        copy.callsPerFrame = callsPerFrame;
        copy.rememberedUsers = rememberedUsers;
        copy.patience = patience;
        copy.viaEndpoint = viaEndpoint;
        return copy;
    }

    void requireWhole() {
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("a client needs an endpoint: HOST:PORT of a router or an AllocSvr");
        }
        if (viaEndpoint && endpoints.size() != 1) {
            throw new IllegalArgumentException(
                    "a client that goes through its endpoint needs exactly one, not " + endpoints);
        }
    }
}
