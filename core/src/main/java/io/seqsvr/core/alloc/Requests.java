package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.session.SessionKeeper;
import java.util.Optional;

/** What callers ask of an allocator, from the arguments to the numbers taken. */
final class Requests {
    private final SegmentTable segments;
    private final Ownership owned;
    private final CounterMemory memory;
    private final WaitingRoom waiting;
    private final SessionKeeper keeper;
    private final Guards guards;

    Requests(Ownership owned, SessionKeeper keeper, Guards guards) {
        this.segments = owned.segments;
        this.owned = owned;
        this.memory = owned.memory;
        this.waiting = owned.waiting;
        this.keeper = keeper;
        this.guards = guards;
    }

    /** Where a request ends up: at a segment, or refused. */
    sealed interface Lookup {}

    /** The segment that serves the request. */
    record Found(LoadedSegment segment, int slot) implements Lookup {
        SegmentCounters counters() {
            return segment.counters();
        }
    }

    /** Nobody here serves it. */
    record Missing(Answer.Refused answer) implements Lookup {}

    /**
     * Looks up who serves a user here.
     *
     * @param count how many sequences are wanted; 1 where none are
     */
    Lookup find(String namespaceName, long uid, long count, long minEpoch, ClockReading now) {
        var namespace = segments.namespace(namespaceName);
        return namespace.isEmpty() ? unknown(namespaceName) : find(namespace.get(), uid, count, minEpoch, now);
    }

    /** The namespace is not known here. */
    Missing unknown(String namespaceName) {
        return segments.knowsNamespaces()
                ? new Missing(Answer.Refused.namespaceUnknown(namespaceName))
                : missing(Refusal.NOT_READY, "the allocator has not learned its namespaces yet");
    }

    /** Looks up who serves a user of a namespace here. */
    Lookup find(Namespace namespace, long uid, long count, long minEpoch, ClockReading now) {
        if (count < 1 || count > namespace.maxCount()) {
            return missing(
                    Refusal.COUNT_OUT_OF_BOUNDS,
                    "count is " + count + "; it must be from 1 to " + namespace.maxCount());
        }
        if (!namespace.holds(uid)) {
            return new Missing(Answer.Refused.uidOutOfRange(namespace, uid));
        }
        return find(namespace, uid, minEpoch, now);
    }

    private Lookup find(Namespace namespace, long uid, long minEpoch, ClockReading now) {
        var id = new SegmentId(namespace.id(), namespace.segmentOf(uid));
        var segment = segments.find(id);
        if (segment.isEmpty()) {
            return notServed(id);
        }
        if (segment.get().sealed() && guards.on(Guard.SEALED_ANSWERS_NOTHING)) {
            return missing(Refusal.NOT_OWNER, "segment " + id + " is being handed over");
        }
        long epoch = segment.get().counters().epoch();
        if (Long.compareUnsigned(epoch, minEpoch) < 0 && guards.on(Guard.CALLER_NAMES_LEAST_EPOCH)) {
            return missing(
                    Refusal.NOT_OWNER,
                    "segment " + id + " is served in epoch " + epoch + " here; the caller knows "
                            + Long.toUnsignedString(minEpoch));
        }
        // Not what safety rests on, that is release(); it spares numbers that could not leave anyway.
        if (!WaitingRoom.mustConfirm(segment.get()) && !segment.get().lease().validAt(now)) {
            return missing(Refusal.LEASE_EXPIRED, "the lease of session " + keeper.session() + " is not valid");
        }
        return new Found(segment.get(), namespace.slotOf(uid));
    }

    private Missing notServed(SegmentId id) {
        if (keeper.session() == 0) {
            return missing(Refusal.NOT_READY, "the allocator has no session");
        }
        return owned.loading.isPending(id)
                ? missing(Refusal.NOT_READY, "the counters of segment " + id + " are on their way")
                : new Missing(notOwner(id));
    }

    private static Missing missing(Refusal refusal, String message) {
        return new Missing(new Answer.Refused(refusal, message));
    }

    static Answer.Refused notOwner(SegmentId id) {
        return new Answer.Refused(
                Refusal.NOT_OWNER,
                "this allocator does not own segment " + id.index() + " of namespace " + id.namespaceId());
    }

    private boolean hasLeft(Found found, long from, long count) {
        return guards.on(Guard.ROOM_IS_A_DIFFERENCE)
                ? found.counters().hasLeft(from, count)
                : from + count <= found.segment().namespace().maxSequence();
    }

    /** Takes sequences, not below {@code atLeast}. */
    Step take(Found found, long uid, long count, long atLeast) {
        var counters = found.counters();
        int slot = found.slot();
        boolean keepsLeast = guards.on(Guard.LEAST_NUMBER_IS_KEPT);
        long floor = atLeast > 0 ? (keepsLeast ? atLeast - 1 : 0) : atLeast;
        var jump = jumpProblem(found.segment(), floor, "at_least", atLeast);
        if (jump.isPresent()) {
            return new Step.Refused(jump.get());
        }
        long from = Math.max(counters.current(slot), floor);
        if (!hasLeft(found, from, count)) {
            return refused(
                    Refusal.SEQUENCE_EXHAUSTED,
                    "user " + Long.toUnsignedString(uid) + " stands at " + from + "; " + count
                            + " more would pass max_sequence "
                            + found.segment().namespace().maxSequence());
        }
        if (!memory.hasPlace(counters, slot)) {
            return tooManyUsers(uid);
        }
        boolean waits = !counters.hasRoom(from, count) || WaitingRoom.mustConfirm(found.segment());
        if (waits && waiting.isFull()) {
            return tooManyWaiting();
        }
        long before = counters.bytes();
        counters.lift(slot, floor);
        long last = counters.take(slot, count);
        memory.keep(counters.bytes() - before);
        return waiting.admit(found.segment(), last, new Answer.Range(uid, last - count + 1, last, counters.epoch()));
    }

    /** Reads a user's last sequence. */
    Step read(Found found, long uid) {
        var counters = found.counters();
        long seq = counters.current(found.slot());
        var reading = new Answer.Reading(uid, seq, isExact(found), counters.epoch());
        if (!guards.on(Guard.READING_WAITS_FOR_MAX_SEQ)) {
            return new Step.Taken(found.segment(), reading);
        }
        boolean waits = !counters.durable(seq) || WaitingRoom.mustConfirm(found.segment());
        return waits && waiting.isFull() ? tooManyWaiting() : waiting.admit(found.segment(), seq, reading);
    }

    private boolean isExact(Found found) {
        long seq = found.counters().current(found.slot());
        return !guards.on(Guard.READING_TELLS_A_BOUND)
                || (found.segment().namespace().readsExactly(seq)
                        && found.counters().exact(found.slot()));
    }

    /** Lifts a user to {@code floor}. */
    Step lift(Found found, long uid, long floor) {
        var counters = found.counters();
        var jump = jumpProblem(found.segment(), floor, "floor", floor);
        if (jump.isPresent()) {
            return new Step.Refused(jump.get());
        }
        boolean waits = !counters.durable(Math.max(floor, counters.current(found.slot())))
                || WaitingRoom.mustConfirm(found.segment());
        if (waits && waiting.isFull()) {
            return tooManyWaiting();
        }
        if (floor > counters.current(found.slot()) && !memory.hasPlace(counters, found.slot())) {
            return tooManyUsers(uid);
        }
        long before = counters.bytes();
        counters.lift(found.slot(), floor);
        memory.keep(counters.bytes() - before);
        long seq = counters.current(found.slot());
        return waiting.admit(found.segment(), seq, new Answer.Lifted(uid, seq, counters.epoch()));
    }

    /**
     * A jump becomes every neighbour's gap at the next failover, so it is bounded.
     *
     * @param field what the caller calls it
     * @param given what the caller gave, read as unsigned
     */
    private Optional<Answer.Refused> jumpProblem(LoadedSegment segment, long floor, String field, long given) {
        var namespace = segment.namespace();
        long maxSeq = segment.counters().maxSeq();
        if (!segment.counters().mayReach(floor)) {
            return Optional.of(new Answer.Refused(
                    Refusal.SEQUENCE_EXHAUSTED,
                    field + " is " + given + "; it lies above max_sequence " + namespace.maxSequence()));
        }
        if (floor < 0 || (floor > maxSeq && floor - maxSeq > namespace.maxJump())) {
            return Optional.of(new Answer.Refused(
                    Refusal.JUMP_OUT_OF_BOUNDS,
                    field + " is " + Long.toUnsignedString(given) + "; it must lie at most max_jump "
                            + namespace.maxJump() + " above max_seq " + maxSeq));
        }
        return Optional.empty();
    }

    private static Step.Refused refused(Refusal refusal, String message) {
        return new Step.Refused(new Answer.Refused(refusal, message));
    }

    private Step.Refused tooManyUsers(long uid) {
        return refused(
                Refusal.TOO_MANY_USERS,
                "user " + Long.toUnsignedString(uid) + " was never served here, and the counters of others take "
                        + memory.kept() + " bytes of the " + memory.most()
                        + " that they may: raise counter_memory_percent or the heap, or move segments away");
    }

    private Step.Refused tooManyWaiting() {
        return refused(
                Refusal.TOO_MANY_WAITING, waiting.size() + " requests wait for a raise or a confirmation; no more may");
    }
}
