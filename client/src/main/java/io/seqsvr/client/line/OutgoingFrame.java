package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.codec.FrameReply;

/** A frame on its way to an owner. It is told its reply, or that none will come; never both, never twice. */
public interface OutgoingFrame {
    /** Its calls, valid until another frame is asked for its own; the stream puts its correlation id there. */
    FrameCalls calls();

    /**
     * It was answered.
     *
     * @param reply only during this call; nothing of it was checked
     * @throws BadReplyException if it is none to this frame: then nothing was taken from it, and {@link #unanswered}
     *     follows
     */
    void answered(FrameReply reply) throws BadReplyException;

    /**
     * No reply will come.
     *
     * @param why a sentence
     */
    void unanswered(String why);
}
