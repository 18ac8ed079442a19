package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.Picture;
import io.seqsvr.core.route.RouteRange;
import java.util.Optional;

/**
 * Where a request goes: a pure function of what is seen of the cluster. A wrong answer costs a refusal, never a wrong
 * number: authority is at the allocator only.
 */
public final class Routing {
    private static final Nobody NOBODY_YET = nobody(Refusal.NOT_READY, "the cluster has not been seen yet");

    private Routing() {}

    /** Whom to ask. */
    public sealed interface Target {}

    /**
     * The allocator that owns the user's segment.
     *
     * @param address where it serves, HOST:PORT
     * @param segment the user's segment
     * @param epoch the least epoch in which an answer may be believed
     */
    public record Owner(String address, SegmentId segment, long epoch) implements Target {}

    /**
     * Nobody can answer.
     *
     * @param answer why
     */
    public record Nobody(Answer.Refused answer) implements Target {}

    /** The answer before the first picture. */
    static Nobody nobodyYet() {
        return NOBODY_YET;
    }

    /**
     * Finds the owner of a segment.
     *
     * @param range of the routes in the picture, where one covers the segment
     */
    static Target find(Picture picture, Optional<RouteRange> range, Namespace namespace, SegmentId segment) {
        if (range.isPresent()) {
            var owner = picture.addressOf(range.get().owner());
            if (owner.isPresent()) {
                return new Owner(owner.get(), segment, range.get().epoch());
            }
        }
        return nobody(
                Refusal.NOT_READY,
                "segment " + segment.index() + " of namespace '" + namespace.name() + "' has no living owner now");
    }

    private static Nobody nobody(Refusal refusal, String message) {
        return new Nobody(new Answer.Refused(refusal, message));
    }
}
