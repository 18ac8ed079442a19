package io.seqsvr.proto.rpc;

import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/**
 * Where a process listens, written {@code HOST:PORT}, an IPv6 address in brackets.
 *
 * @param host name or address, without brackets
 * @param port from 0 to 65,535; 0 asks for a free port where one listens
 */
public record HostPort(String host, int port) {
    private static final int MOST = 65_535;

    /** Checked host and port. */
    public HostPort {
        if (host.isEmpty() || port < 0 || port > MOST) {
            throw new IllegalArgumentException("host '" + host + "', port " + port);
        }
    }

    /**
     * Reads {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException with a message that names the text and the rule
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            var host = text.substring(0, Math.max(0, colon));
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            } else if (host.indexOf(':') >= 0) {
                // The last group of an IPv6 address would pass for the port.
                throw new IllegalArgumentException("an IPv6 address stands in brackets");
            }
            return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("'" + text + "' is no HOST:PORT with a port from 0 to " + MOST, wrong);
        }
    }

    /**
     * Where others reach a process, as it says itself.
     *
     * @return nothing if the text is no {@code HOST:PORT}, or names port 0, at which nobody can be called
     */
    public static Optional<HostPort> reachable(String text) {
        try {
            return Optional.of(parse(text)).filter(address -> address.port() > 0);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * For who calls through the network library, which makes the {@code :authority} of a request of it as it stands: so
     * an IPv6 address keeps its brackets, without which servers reset the stream.
     */
    public SocketAddress socketAddress() {
        return SocketAddress.inetSocketAddress(port, bracketed());
    }

    private String bracketed() {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    @Override
    public String toString() {
        return bracketed() + ":" + port;
    }
}
