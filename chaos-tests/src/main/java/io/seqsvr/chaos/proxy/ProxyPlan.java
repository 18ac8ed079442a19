package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A proxy as it is wanted.
 *
 * @param name unique, not empty, without slash
 * @param host a loopback address to listen on
 * @param port to listen on; 0 is any free one
 * @param upstream where the server listens
 */
record ProxyPlan(String name, String host, int port, Endpoint upstream) {
    static final String LOOPBACK = "127.0.0.1";

    private static final int MAX_PORT = 65_535;

    ProxyPlan {
        if (name.isEmpty() || name.contains("/")) {
            throw Refusal.bad("name is \"" + name + "\"; it must not be empty and hold no slash");
        }
        if (port < 0 || port > MAX_PORT) {
            throw Refusal.bad("listen has port " + port + "; it must be from 0 to " + MAX_PORT);
        }
        if (!isLoopback(host)) {
            throw Refusal.bad("listen is on \"" + host + "\"; it must be on a loopback address, such as " + LOOPBACK);
        }
    }

    /**
     * Reads what the API says.
     *
     * @param listen HOST:PORT, :PORT, or nothing for a free port
     * @param upstream HOST:PORT
     */
    static ProxyPlan parse(String name, String listen, String upstream) {
        try {
            var server = Endpoint.parse(upstream);
            if (listen.isEmpty()) {
                return new ProxyPlan(name, LOOPBACK, 0, server);
            }
            int colon = listen.lastIndexOf(':');
            var host = listen.substring(0, Math.max(0, colon));
            int port = Integer.parseInt(listen.substring(colon + 1));
            return new ProxyPlan(name, host.isEmpty() || host.equals("localhost") ? LOOPBACK : host, port, server);
        } catch (NumberFormatException notAPort) {
            throw Refusal.bad("listen is \"" + listen + "\"; it must be HOST:PORT");
        } catch (IllegalArgumentException notAnEndpoint) {
            throw Refusal.bad("upstream: " + notAnEndpoint.getMessage());
        }
    }

    /** The same on this port. */
    ProxyPlan at(int knownPort) {
        return new ProxyPlan(name, host, knownPort, upstream);
    }

    /** Where it listens; port 0 must have become a real one. */
    Endpoint listen() {
        return new Endpoint(host, port);
    }

    /** An address as sockets take it: without the brackets of IPv6. */
    static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isLoopback(String host) {
        try {
            // Names are not looked up: they could lead elsewhere the next time.
            return host.matches("[0-9.]+|\\[[0-9a-fA-F:]+]")
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException noAddress) {
            return false;
        }
    }
}
