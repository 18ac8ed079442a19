package io.seqsvr.chaos.proxy;

import io.vertx.core.buffer.Buffer;

/** Where the bytes of a direction go. */
interface Sink {
    /** Whether its receiver is behind, so that nothing more should be read for it. */
    boolean isFull();

    /** Sends some bytes. */
    void write(Buffer bytes);

    /** Ends the direction, or all. */
    void finish(Parcel.Last word);
}
