package io.seqsvr.chaos.check;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The record of what the callers of one namespace saw. Safe for use by many threads. It lives in the process that asks
 * and not in the one that answers, so it goes on over every crash and restart of the latter.
 *
 * <p>Time is one counter of ticks, each given once: there are no ties, and an operation returned before another was
 * invoked exactly if its tick is smaller. An invocation that never ends counts as an unknown outcome, and one of
 * unknown outcome may still end with a reply that comes late.
 */
public final class History implements Recorder {
    private final AtomicLong ticks = new AtomicLong();
    private final Queue<Operation> answered = new ConcurrentLinkedQueue<>();
    private final Set<Invocation> unserved = ConcurrentHashMap.newKeySet();
    private final AtomicLong invocations = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();

    /** A history without operations. */
    public History() {}

    @Override
    public Invocation invoke(long uid) {
        invocations.incrementAndGet();
        var invocation = new Invocation(uid, ticks.incrementAndGet());
        unserved.add(invocation);
        return invocation;
    }

    /** A tick of its own, to tell what came before a moment from what came after. */
    public long mark() {
        return ticks.incrementAndGet();
    }

    /**
     * A copy of all operations: first those that were answered so far, then those that brought nothing or are under
     * way. One that is answered at this moment may be among both, which no rule minds.
     */
    public List<Operation> operations() {
        // In this order none is missed: what leaves the one is in the other already.
        var withoutAnswer = unserved.stream().map(Invocation::unserved).toList();
        return Stream.concat(answered.stream(), withoutAnswer.stream()).toList();
    }

    /** How the invocations ended; while calls are under way the counts are of slightly different moments. */
    public Counts counts() {
        return new Counts(invocations.get(), answers.get(), refusals.get(), unknowns.get());
    }

    /**
     * How many invocations ended in which way.
     *
     * @param invoked all of them, those under way included
     * @param answered with sequences or the last sequence
     * @param refused with a typed "no"
     * @param unknown without an answer so far
     */
    public record Counts(long invoked, long answered, long refused, long unknown) {}

    /**
     * One request under way. One of its methods ends it; a second end is an {@link IllegalStateException}, except that
     * an unknown outcome may become known.
     */
    public final class Invocation implements Call {
        private final long uid;
        private final long invoked;
        private final AtomicReference<End> end = new AtomicReference<>(End.UNDER_WAY);

        private Invocation(long uid, long invoked) {
            this.uid = uid;
            this.invoked = invoked;
        }

        /**
         * {@inheritDoc}
         *
         * @throws IllegalArgumentException if this is no range of sequences; the invocation then counts as under way
         */
        @Override
        public void returned(long first, long last, long epoch) {
            returned(uid, first, last, epoch);
        }

        /**
         * Sequences came.
         *
         * @param echoed the user that the reply names
         * @param first smallest sequence
         * @param last greatest sequence
         * @param epoch epoch of the reply
         * @throws IllegalArgumentException if this is no range of sequences; the invocation then counts as under way
         */
        public void returned(long echoed, long first, long last, long epoch) {
            answer(tick -> new Operation.Next(uid, echoed, first, last, epoch, invoked, tick));
        }

        /**
         * {@inheritDoc}
         *
         * @throws IllegalArgumentException if {@code seq} is negative; the invocation then counts as under way
         */
        @Override
        public void told(long seq, boolean exact) {
            told(uid, seq, exact);
        }

        /**
         * The last sequence was told.
         *
         * @param echoed the user that the reply names
         * @param seq the last sequence or a bound above it
         * @param exact whether the reply called it EXACT
         * @throws IllegalArgumentException if {@code seq} is negative; the invocation then counts as under way
         */
        public void told(long echoed, long seq, boolean exact) {
            answer(tick -> new Operation.Current(uid, echoed, seq, exact, invoked, tick));
        }

        /** Like a reading: what comes later is above. */
        @Override
        public void lifted(long known, long floor, long seq) {
            told(seq, false);
        }

        @Override
        public void refused(String said) {
            end(End.REFUSED);
            refusals.incrementAndGet();
        }

        @Override
        public void refusedByNonOwner(String said) {
            end(End.REFUSED_BY_NON_OWNER);
            refusals.incrementAndGet();
        }

        @Override
        public void unknown(String said) {
            if (!end.compareAndSet(End.UNDER_WAY, End.UNKNOWN)) {
                throw endedBefore();
            }
            unknowns.incrementAndGet();
        }

        private void answer(LongFunction<Operation> operation) {
            end(End.ANSWERED);
            answered.add(operation.apply(ticks.incrementAndGet()));
            unserved.remove(this);
            answers.incrementAndGet();
        }

        private void end(End how) {
            var before = end.getAndUpdate(now -> now.isOpen() ? how : now);
            if (!before.isOpen()) {
                throw endedBefore();
            }
            if (before == End.UNKNOWN) {
                unknowns.decrementAndGet();
            }
        }

        private Operation unserved() {
            return new Operation.Unserved(uid, invoked, end.get() == End.REFUSED_BY_NON_OWNER);
        }

        private IllegalStateException endedBefore() {
            return new IllegalStateException("the call of user " + Long.toUnsignedString(uid) + " invoked at tick "
                    + invoked + " has ended before");
        }
    }

    private enum End {
        UNDER_WAY,
        UNKNOWN,
        ANSWERED,
        REFUSED,
        REFUSED_BY_NON_OWNER;

        private boolean isOpen() {
            return this == UNDER_WAY || this == UNKNOWN;
        }
    }
}
