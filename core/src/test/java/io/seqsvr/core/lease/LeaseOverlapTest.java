package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import io.seqsvr.core.SkewedClocks;
import io.seqsvr.core.lease.SessionTimers.Granted;
import java.util.ArrayList;
import java.util.List;
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
        private final SkewedClocks holderClocks;
        private final SkewedClocks granterClocks;
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
            this.holderClocks = SkewedClocks.random(random, mostRate);
            this.granterClocks = SkewedClocks.random(random, mostRate);
        }

        void run() {
            granter.startTerm(List.of(new Granted(SESSION, 0, TERMS)), granterClocks.at(time));
            long end = 12_000 * MILLI;
            long giveUpAt = random.nextLong(end / 2);
            while (time < end) {
                long span = random.nextLong(1, 40 * MILLI);
                time += span;
                failSometimes(holderClocks);
                failSometimes(granterClocks);
                renewing &= time < giveUpAt;
                step();
            }
        }

        private void step() {
            if (renewing && random.nextInt(8) == 0) {
                underWay.add(new Message(holderClocks.at(time), false, time + delay()));
            }
            for (var message : List.copyOf(underWay)) {
                if (message.at <= time) {
                    underWay.remove(message);
                    arrive(message);
                }
            }
            if (!expired && random.nextInt(200) == 0) {
                granter.startTerm(List.of(new Granted(SESSION, renewals, TERMS)), granterClocks.at(time));
            }
            if (random.nextInt(3) == 0) {
                expired |= !granter.due(granterClocks.at(time)).isEmpty();
            }
            // The holder does not look every time: a drop may go unseen for long.
            if (expired || random.nextInt(4) == 0) {
                overlap |= holder.validAt(holderClocks.at(time)) && expired;
            }
        }

        private void failSometimes(SkewedClocks clocks) {
            if (random.nextInt(100) == 0) {
                clocks.fail(time, random);
            }
        }

        private void arrive(Message message) {
            if (message.answer) {
                holder.renewed(message.sentAt);
            } else if (!expired && random.nextInt(5) > 0) {
                renewals++;
                granter.renewed(new Granted(SESSION, renewals, TERMS), granterClocks.at(time));
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
}
