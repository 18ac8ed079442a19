package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreView;
import java.util.Optional;

/**
 * Where a request goes: a pure function of what is seen of the cluster. A wrong answer costs a refusal, never a wrong
 * number: authority is at the allocator only.
 */
public final class Routing {
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

    /**
     * Finds the owner of a user.
     *
     * @param view what is seen, nothing before the first watch
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     */
    public static Target find(Optional<StoreView> view, String namespaceName, long uid) {
        if (view.isEmpty()) {
            return nobody(Refusal.NOT_READY, "this router has not seen the cluster yet");
        }
        var namespace = view.get().namespace(namespaceName);
        if (namespace.isEmpty()) {
            return new Nobody(Answer.Refused.namespaceUnknown(namespaceName));
        }
        if (!namespace.get().holds(uid)) {
            return new Nobody(Answer.Refused.uidOutOfRange(namespace.get(), uid));
        }
        return owner(view.get(), namespace.get(), namespace.get().segmentOf(uid));
    }

    private static Target owner(StoreView view, Namespace namespace, int segment) {
        // No chain of Optionals: routers ask this for every request.
        var range = view.routes().find(namespace.id(), segment);
        if (range.isPresent()) {
            var owner = view.session(range.get().owner());
            if (owner.isPresent()) {
                return new Owner(
                        owner.get().address(),
                        new SegmentId(namespace.id(), segment),
                        range.get().epoch());
            }
        }
        return nobody(
                Refusal.NOT_READY,
                "segment " + segment + " of namespace '" + namespace.name() + "' has no living owner now");
    }

    private static Nobody nobody(Refusal refusal, String message) {
        return new Nobody(new Answer.Refused(refusal, message));
    }
}
