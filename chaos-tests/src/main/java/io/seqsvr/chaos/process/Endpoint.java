package io.seqsvr.chaos.process;

/**
 * Where a process serves.
 *
 * @param host name or address, an IPv6 address in brackets
 * @param port from 1 to 65,535
 */
public record Endpoint(String host, int port) {
    /** Throws {@link IllegalArgumentException} for a port out of range. */
    public Endpoint {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; it must be from 1 to 65535");
        }
    }

    /**
     * Reads HOST:PORT.
     *
     * @throws IllegalArgumentException if it is written otherwise
     */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not HOST:PORT");
        }
        try {
            return new Endpoint(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("\"" + text + "\" is not HOST:PORT", notANumber);
        }
    }

    /** HOST:PORT. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
