package io.seqsvr.core.alloc;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.segment.CounterPrefetch;

/**
 * Takes the numbers of a frame. What costs nothing but a look at the counter goes through a loop without objects and
 * lookups; every call that needs more goes through {@link Requests}, by its place.
 *
 * <p>Invariant: the loop takes a number only where {@link Requests} would take the same one without waiting: LEASE
 * order, the segment served, not sealed, in an epoch that the caller accepts, under a lease that was valid when the
 * frame began, and room below max_seq.
 */
final class Frames {
    private final SegmentTable segments;
    private final Requests requests;
    private final AllocatorOutbox out;
    private final Guards guards;
    private final CounterPrefetch prefetch = new CounterPrefetch();
    /** Counts frames, so that a segment knows whether this one has touched it. */
    private long frameNumber;

    Frames(SegmentTable segments, Requests requests, AllocatorOutbox out, Guards guards) {
        this.segments = segments;
        this.requests = requests;
        this.out = out;
        this.guards = guards;
    }

    /** Takes the numbers of all calls; those that wait end later. */
    OpenFrame begin(FrameCalls calls, ClockReading now) {
        var problem = FrameRules.problem(calls);
        if (problem.isPresent()) {
            return OpenFrame.refused(calls.correlation(), now, problem.get());
        }
        var served = segments.served(calls.namespaceName());
        if (served == null) {
            return OpenFrame.refused(
                    calls.correlation(),
                    now,
                    requests.unknown(calls.namespaceName()).answer());
        }
        var verb = FrameVerb.of(calls.verb()).orElseThrow();
        var frame = new OpenFrame(calls, verb, now);
        frameNumber++;
        noteLeastEpochs(calls, served);
        if (verb == FrameVerb.NEXT && served.settings().order() == Order.LEASE) {
            takeAll(calls, served, frame, now);
        } else {
            for (int place = 0; place < frame.calls(); place++) {
                slowly(calls, served, verb, place, frame, now);
            }
        }
        return frame;
    }

    private void noteLeastEpochs(FrameCalls calls, ServedNamespace served) {
        for (int i = 0; i < calls.segments().size(); i++) {
            var segment = served.at(calls.segments().get(i));
            if (segment != null) {
                long least = calls.leastEpochs().get(i);
                // As unsigned: what is too great for an epoch is newer than any.
                segment.leastEpoch(frameNumber, least < 0 ? Long.MAX_VALUE : least);
            }
        }
    }

    private void takeAll(FrameCalls calls, ServedNamespace served, OpenFrame frame, ClockReading now) {
        int size = frame.calls();
        long[] uids = calls.uids().array();
        long[] counts = calls.counts().isEmpty() ? null : calls.counts().array();
        long[] floors = calls.floors().isEmpty() ? null : calls.floors().array();
        long[] seqs = frame.seqs();
        int[] states = frame.states();
        long maxCount = served.settings().maxCount();
        for (int place = 0; place < size; place++) {
            if (place % CounterPrefetch.MOST == 0) {
                prefetch(uids, place, Math.min(size, place + CounterPrefetch.MOST), served);
            }
            long count = counts == null ? 1 : counts[place];
            long first = 0;
            long index = served.indexOf(uids[place]);
            if (index >= 0 && count > 0 && count <= maxCount && (floors == null || floors[place] == 0)) {
                int number = served.segmentOf(index);
                var segment = served.at(number);
                int ordinal = segment == null ? -1 : ordinal(segment, frame, now);
                if (segment != null && ordinal >= 0) {
                    first = segment.counters().takeDurable(served.slotOf(index, number), count);
                    states[place] = OpenFrame.taken(ordinal);
                    seqs[place] = first;
                }
            }
            if (first == 0) {
                slowly(calls, served, FrameVerb.NEXT, place, frame, now);
            }
        }
    }

    private void prefetch(long[] uids, int from, int to, ServedNamespace served) {
        for (int place = from; place < to; place++) {
            long index = served.indexOf(uids[place]);
            if (index >= 0) {
                int number = served.segmentOf(index);
                var segment = served.at(number);
                if (segment != null) {
                    prefetch.add(segment.counters(), served.slotOf(index, number));
                }
            }
        }
        prefetch.fetch();
    }

    /** A segment's ordinal in the frame; negative if its calls must go the long way. */
    private int ordinal(LoadedSegment segment, OpenFrame frame, ClockReading now) {
        if (segment.touchedIn(frameNumber)) {
            return segment.ordinal();
        }
        boolean free = !(segment.sealed() && guards.on(Guard.SEALED_ANSWERS_NOTHING))
                && !(segment.counters().epoch() < segment.leastEpochIn(frameNumber)
                        && guards.on(Guard.CALLER_NAMES_LEAST_EPOCH))
                && segment.lease().validAt(now);
        segment.touch(frameNumber, free ? frame.touch(segment) : -1);
        return segment.ordinal();
    }

    private void slowly(
            FrameCalls calls, ServedNamespace served, FrameVerb verb, int place, OpenFrame frame, ClockReading now) {
        long uid = calls.uids().get(place);
        long count = calls.counts().isEmpty() ? 1 : calls.counts().get(place);
        long floor = calls.floors().isEmpty() ? 0 : calls.floors().get(place);
        var found = requests.find(served.settings(), uid, count, leastEpoch(served, uid), now);
        if (found instanceof Requests.Missing missing) {
            frame.refuse(place, missing.answer());
            return;
        }
        var at = (Requests.Found) found;
        var step = switch (verb) {
            case NEXT -> requests.take(at, uid, count, floor);
            case CURRENT -> requests.read(at, uid);
            case RAISE_FLOOR -> requests.lift(at, uid, floor);
        };
        if (step instanceof Step.Refused refused) {
            frame.refuse(place, refused.answer());
            return;
        }
        var segment = at.segment();
        if (!segment.touchedIn(frameNumber) || segment.ordinal() < 0) {
            segment.touch(frameNumber, frame.touch(segment));
        }
        if (step instanceof Step.Taken taken) {
            frame.take(place, segment.ordinal(), taken.answer());
        } else if (step instanceof Step.Waiting waiting) {
            frame.waits(place, segment.ordinal(), waiting.ticket());
            out.seat(waiting.ticket(), frame, place);
        } else {
            throw new IllegalStateException("a call of " + frame + " began with " + step);
        }
    }

    private long leastEpoch(ServedNamespace served, long uid) {
        long index = served.indexOf(uid);
        var segment = index < 0 ? null : served.at(served.segmentOf(index));
        return segment == null ? 0 : segment.leastEpochIn(frameNumber);
    }
}
