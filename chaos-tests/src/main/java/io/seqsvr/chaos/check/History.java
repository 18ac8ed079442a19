package io.seqsvr.chaos.check;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * The record of what the callers of one namespace saw. Safe for use by many threads. It lives in the process that asks
 * and not in the one that answers, so it goes on over every crash and restart of the latter.
 *
 * <p>Time is one counter of ticks, each given once: there are no ties, and an operation returned before another was
 * invoked exactly if its tick is smaller. An invocation that never ends counts as an unknown outcome.
 */
public final class History {
    private final AtomicLong ticks = new AtomicLong();
    private final Queue<Operation> answered = new ConcurrentLinkedQueue<>();
    private final AtomicLong invocations = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();

    /** A history without operations. */
    public History() {}

    /** A request is about to be sent; call it on the thread that sends it, before it does. */
    public Invocation invoke(long uid) {
        invocations.incrementAndGet();
        return new Invocation(uid, ticks.incrementAndGet());
    }

    /** A tick of its own, to tell what came before a moment from what came after. */
    public long mark() {
        return ticks.incrementAndGet();
    }

    /** A copy of the operations that were answered so far. */
    public List<Operation> operations() {
        return List.copyOf(answered);
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
     * @param unknown without an answer
     */
    public record Counts(long invoked, long answered, long refused, long unknown) {}

    /** One request under way. One of its methods ends it; a second end is an {@link IllegalStateException}. */
    public final class Invocation {
        private final long uid;
        private final long invoked;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Invocation(long uid, long invoked) {
            this.uid = uid;
            this.invoked = invoked;
        }

        /**
         * Sequences came.
         *
         * @param first smallest sequence
         * @param last greatest sequence
         * @param epoch epoch of the reply
         * @throws IllegalArgumentException if this is no range of sequences; the invocation then counts as under way
         */
        public void returned(long first, long last, long epoch) {
            answer(tick -> new Operation.Next(uid, first, last, epoch, invoked, tick));
        }

        /**
         * The last sequence was told.
         *
         * @param seq the last sequence or a bound above it
         * @param exact whether the reply called it EXACT
         * @throws IllegalArgumentException if {@code seq} is negative; the invocation then counts as under way
         */
        public void told(long seq, boolean exact) {
            answer(tick -> new Operation.Current(uid, seq, exact, invoked, tick));
        }

        /** A typed "no" came: nothing was delivered. */
        public void refused() {
            endOnce();
            refusals.incrementAndGet();
        }

        /** No answer came, or the connection broke: sequences may have been taken. */
        public void unknown() {
            endOnce();
            unknowns.incrementAndGet();
        }

        private void answer(LongFunction<Operation> operation) {
            endOnce();
            answered.add(operation.apply(ticks.incrementAndGet()));
            answers.incrementAndGet();
        }

        private void endOnce() {
            if (!ended.compareAndSet(false, true)) {
                throw new IllegalStateException("the call of user " + Long.toUnsignedString(uid) + " invoked at tick "
                        + invoked + " has ended before");
            }
        }
    }
}
