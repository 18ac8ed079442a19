package io.seqsvr.chaos.sim;

import io.seqsvr.core.store.StoreReply;

/** Who waits for what becomes of a command, as the peer of the store sees it to which the command came. */
interface Asker {
    /** Nobody waits. */
    Asker NOBODY = (peer, reply) -> {};

    /** The reply, if there ever is one. */
    void answer(int peer, StoreReply reply);

    /** Told at once if the peer does not lead: the command was not submitted. */
    default void redirect(int peer) {}
}
