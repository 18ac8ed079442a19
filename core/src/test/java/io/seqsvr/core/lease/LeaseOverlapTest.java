package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Holder and granter together, on clocks of random rates: the holder has always stopped before the granter lets go. */
class LeaseOverlapTest {
    private static final long MILLI = 1_000_000;
    private static final LeaseTerms TERMS = new LeaseTerms(1_000 * MILLI, 100);
    private static final long SESSION = 7;

    @Test
    void holderAlwaysStopsBeforeTheGranterLetsGo() {
        Seed.announcedFor(LeaseOverlapTest.class).run(random -> {
            int expired = 0;
            for (int trial = 0; trial < 2_000; trial++) {
                var story = new Story(random.split(), 1.0999);
                story.run();
                assertFalse(story.overlap, () -> "two owners at once: " + story);
                expired += story.expired ? 1 : 0;
            }
            assertTrue(expired > 1_000, "only " + expired + " stories came to their end");
        });
    }

    @Test
    void clocksBeyondTheDriftWouldBreakIt() {
        Seed.announcedFor(LeaseOverlapTest.class).run(random -> {
            int overlaps = 0;
            for (int trial = 0; trial < 2_000; trial++) {
                var story = new Story(random.split(), 1.5);
                story.run();
                overlaps += story.overlap ? 1 : 0;
            }
            assertTrue(overlaps > 0, "the story cannot tell a lease that is too long from one that is not");
        });
    }

    /** One session from its first renewal until some time after it expired. */
    private static final class Story {
        private final SplittableRandom random;
        private final Machine holderClocks;
        private final Machine granterClocks;
        private final HolderLease holder = new HolderLease(TERMS);
        private final SessionTimers granter = new SessionTimers();
        private final List<Message> underWay = new ArrayList<>();
        private long time;
        private long renewals;
        private boolean renewing = true;
        private boolean expired;
        private boolean overlap;

        Story(SplittableRandom random, double mostRate) {
            this.random = random;
            this.holderClocks = new Machine(random, mostRate);
            this.granterClocks = new Machine(random, mostRate);
        }

        void run() {
            granter.startTerm(TERMS, Map.of(SESSION, 0L), granterClocks.now());
            long end = 12_000 * MILLI;
            long giveUpAt = random.nextLong(end / 2);
            while (time < end) {
                long span = random.nextLong(1, 40 * MILLI);
                time += span;
                holderClocks.pass(span, random);
                granterClocks.pass(span, random);
                renewing &= time < giveUpAt;
                step();
            }
        }

        private void step() {
            if (renewing && random.nextInt(8) == 0) {
                underWay.add(new Message(holderClocks.now(), false, time + delay()));
            }
            for (var message : List.copyOf(underWay)) {
                if (message.at <= time) {
                    underWay.remove(message);
                    arrive(message);
                }
            }
            if (!expired && random.nextInt(200) == 0) {
                granter.startTerm(TERMS, Map.of(SESSION, renewals), granterClocks.now());
            }
            if (random.nextInt(3) == 0) {
                expired |= !granter.due(granterClocks.now()).isEmpty();
            }
            // The holder does not look every time: a drop may go unseen for long.
            if (expired || random.nextInt(4) == 0) {
                overlap |= holder.validAt(holderClocks.now()) && expired;
            }
        }

        private void arrive(Message message) {
            if (message.answer) {
                holder.renewed(message.sentAt);
            } else if (!expired && random.nextInt(5) > 0) {
                renewals++;
                granter.renewed(SESSION, renewals, granterClocks.now());
                if (random.nextInt(5) > 0) {
                    underWay.add(new Message(message.sentAt, true, time + delay()));
                }
            }
        }

        private long delay() {
            return random.nextInt(10) == 0 ? random.nextLong(2_000 * MILLI) : random.nextLong(5 * MILLI);
        }

        @Override
        public String toString() {
            return "after " + time / MILLI + " ms, holder " + holderClocks + ", granter " + granterClocks;
        }
    }

    /** A Renew on its way to the granter, or its answer on the way back. */
    private record Message(ClockReading sentAt, boolean answer, long at) {}

    /** Clocks that run at rates of their own; one of the two may fail: the monotonic one stops, or the wall clock steps. */
    private static final class Machine {
        private final double monotonicRate;
        private final double wallRate;
        private final boolean suspends;
        private double monotonic;
        private double wall;

        Machine(SplittableRandom random, double mostRate) {
            // Often the worst case: the holder's clocks are slow and the granter's fast, or the reverse.
            boolean extreme = random.nextBoolean();
            boolean fast = random.nextBoolean();
            this.monotonicRate = extreme ? (fast ? mostRate : 1) : random.nextDouble(1, mostRate);
            this.wallRate = extreme ? monotonicRate : random.nextDouble(1, mostRate);
            this.suspends = random.nextBoolean();
        }

        ClockReading now() {
            return new ClockReading((long) monotonic, (long) wall);
        }

        void pass(long span, SplittableRandom random) {
            boolean fails = random.nextInt(100) == 0;
            monotonic += fails && suspends ? 0 : span * monotonicRate;
            wall += span * wallRate;
            if (fails && !suspends) {
                wall += (random.nextDouble() - 0.5) * 1_000 * MILLI;
            }
        }

        @Override
        public String toString() {
            return "rates " + monotonicRate + " and " + wallRate + (suspends ? ", suspends" : ", steps");
        }
    }
}
