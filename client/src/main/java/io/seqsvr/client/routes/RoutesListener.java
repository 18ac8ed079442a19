package io.seqsvr.client.routes;

import io.seqsvr.core.picture.RoutePicture;

/** Who is told what a {@link RoutesWatch} sees, on its thread, which must not be blocked. */
@FunctionalInterface
public interface RoutesListener {
    /** A newer picture than all before, of the same cluster. */
    void seen(RoutePicture picture);

    /** Another server, or the same one asked anew, shows what was seen last: there is nothing newer there. */
    default void confirmed(RoutePicture picture) {}

    /**
     * A server was left, and another one will be asked.
     *
     * @param server which, HOST:PORT
     * @param why what it said, or did not
     */
    default void left(String server, String why) {}
}
