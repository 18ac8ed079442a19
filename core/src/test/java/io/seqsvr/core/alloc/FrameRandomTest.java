package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.Seed;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A frame gives what the same calls give one by one. */
class FrameRandomTest {
    private static final int FRAMES = 3_000;

    @Test
    void aFrameGivesWhatItsCallsGiveOneByOne() {
        Seed.announcedFor(FrameRandomTest.class).run(random -> {
            for (var keying : Keying.values()) {
                compare(random, keying, 10, 100);
                compare(random, keying, 7, 69);
                compare(random, keying, 1, 4);
                compare(random, keying, 2_049, 5_000);
            }
        });
    }

    private static Bench serving(Keying keying, int segmentSize, long capacity) {
        var namespace = new Namespace(
                1, "messages", capacity, segmentSize, keying, Order.LEASE, 100, 1_000, 1_000_000, Long.MAX_VALUE);
        var bench = new Bench(new FakeStore(Bench.LEASE, namespace), new TestClock(), "alloc-1");
        bench.tick();
        // One segment belongs to nobody.
        bench.assign(0, Math.max(0, namespace.segmentCount() - 2));
        return bench;
    }

    private static void compare(SplittableRandom random, Keying keying, int segmentSize, long capacity) {
        var one = serving(keying, segmentSize, capacity);
        var other = serving(keying, segmentSize, capacity);
        var frames = new FrameBench(one);
        for (int i = 0; i < FRAMES / 8; i++) {
            var verb = random.nextInt(4) == 0 ? FrameVerb.CURRENT : FrameVerb.NEXT;
            var calls = FrameBench.calls(verb);
            for (int call = random.nextInt(1, 17); call > 0; call--) {
                calls.uids().add(random.nextInt(20) == 0 ? random.nextLong() : random.nextLong(capacity + 1));
                if (verb == FrameVerb.NEXT) {
                    calls.counts()
                            .add(
                                    random.nextInt(20) == 0
                                            ? random.nextInt(-1, 1) * 1_002 + 1_001 * random.nextInt(2)
                                            : random.nextInt(1, 4));
                }
            }
            var answers = new Answer[calls.uids().size()];
            for (int place = 0; place < answers.length; place++) {
                long uid = calls.uids().get(place);
                var step = verb == FrameVerb.CURRENT
                        ? other.currentStep(uid)
                        : other.step(uid, calls.counts().get(place));
                other.passMillis(Bench.TICK_MILLIS);
                answers[place] =
                        step instanceof Step.Waiting wait ? other.outcome(wait.ticket()) : other.released(step);
            }
            var frame = frames.begin(calls);
            one.passMillis(Bench.TICK_MILLIS);
            assertSame(answers, frames.release(frame), calls.uids().toString());
        }
    }

    private static void assertSame(Answer[] expected, FrameAnswers frame, String calls) {
        var refused = new boolean[expected.length];
        for (var entry : frame.refusals()) {
            for (int place : entry.places().toArray()) {
                refused[place] = true;
                assertEquals(entry.first().refusal(), ((Answer.Refused) expected[place]).refusal(), calls);
            }
        }
        for (int place = 0; place < expected.length; place++) {
            var answer = expected[place];
            assertEquals(answer instanceof Answer.Refused, refused[place], calls + " at " + place + ": " + answer);
            long seq = frame.seqs().get(place);
            int at = place;
            if (answer instanceof Answer.Range range) {
                assertEquals(range.first(), seq, calls);
            } else if (answer instanceof Answer.Reading reading) {
                assertEquals(reading.seq(), seq, calls);
                boolean bound = Arrays.stream(frame.bounds().toArray()).anyMatch(each -> each == at);
                assertEquals(reading.exact(), !bound, calls);
            }
        }
    }
}
