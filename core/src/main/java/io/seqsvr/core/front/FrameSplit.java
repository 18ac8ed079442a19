package io.seqsvr.core.front;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one frame by who is to answer them: columns in, columns out, without an object for each call.
 *
 * <p>Invariant: each call is in one part, or it is unrouted. A part names, for each of its segments, the newest
 * epoch that is known: no older owner's answer is one.
 */
public final class FrameSplit {
    private final List<FramePart> parts = new ArrayList<>();
    private final List<Unrouted> unrouted = new ArrayList<>();

    private FrameSplit() {}

    /**
     * A call that goes in no part: there is no such user, nobody owns its segment now, or its caller has seen a newer
     * epoch than is known here.
     *
     * @param place of the call in the frame
     * @param call what is wanted
     * @param leastEpoch answered under no older epoch, read as unsigned
     */
    public record Unrouted(int place, Call call, long leastEpoch) {}

    /**
     * Splits a frame whose columns fit each other.
     *
     * @param book what is known of owners
     * @param frame not kept
     * @param verb what its calls want
     */
    public static FrameSplit of(RouteBook book, FrameCalls frame, FrameVerb verb) {
        var split = new FrameSplit();
        long wanted = book.nextPass();
        for (int i = 0; i < frame.segments().size(); i++) {
            var route = book.segmentOf(frame.namespaceName(), frame.segments().get(i));
            if (route != null) {
                long least = frame.leastEpochs().get(i);
                // As unsigned: what is too great for an epoch is newer than any.
                route.note(wanted, Math.max(route.noted(wanted), least < 0 ? Long.MAX_VALUE : least));
            }
        }
        split.addAll(book, frame, verb, wanted);
        split.addEpochs(book);
        return split;
    }

    private void addAll(RouteBook book, FrameCalls frame, FrameVerb verb, long wanted) {
        for (int place = 0; place < frame.uids().size(); place++) {
            var route = book.routeOf(frame.namespaceName(), frame.uids().get(place));
            long least = route == null ? 0 : route.noted(wanted);
            if (route != null && book.find(route) instanceof Routing.Owner owner && owner.epoch() >= least) {
                part(book, owner.address(), frame.namespaceName(), verb).add(frame, place, route);
            } else {
                unrouted.add(new Unrouted(place, call(frame, verb, place), least));
            }
        }
    }

    private FramePart part(RouteBook book, String address, String namespaceName, FrameVerb verb) {
        for (var part : parts) {
            if (part.address().equals(address) && part.hasRoom()) {
                return part;
            }
        }
        var part = new FramePart(book, address, namespaceName, verb);
        parts.add(part);
        return part;
    }

    private void addEpochs(RouteBook book) {
        for (var part : parts) {
            part.addEpochs(book.nextPass());
        }
    }

    /** A call of a frame as one of its own. */
    static Call call(FrameCalls frame, FrameVerb verb, int place) {
        var namespaceName = frame.namespaceName();
        long uid = frame.uids().get(place);
        long floor = frame.floors().isEmpty() ? 0 : frame.floors().get(place);
        return switch (verb) {
            case NEXT ->
                new Call.Next(
                        namespaceName,
                        uid,
                        frame.counts().isEmpty() ? 1 : frame.counts().get(place),
                        floor);
            case CURRENT -> new Call.Current(namespaceName, uid);
            case RAISE_FLOOR -> new Call.RaiseFloor(namespaceName, uid, floor);
        };
    }

    /** At least one for each owner, in the order of their calls. */
    public List<FramePart> parts() {
        return parts;
    }

    /** What goes in no part. */
    public List<Unrouted> unrouted() {
        return unrouted;
    }
}
