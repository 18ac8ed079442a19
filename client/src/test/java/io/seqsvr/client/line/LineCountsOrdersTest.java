package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.client.line.LineCounts.Outcome;
import io.seqsvr.core.frame.FrameVerb;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One writes, another looks on, in all the orders that a model checker finds within its bound. */
@Tag("orders")
@Isolated("the model checker changes what it finds loaded")
final class LineCountsOrdersTest {
    private static final int ORDERS = 100;

    private static void meet(Runnable here, Runnable there) {
        var other = new Thread(there);
        other.start();
        here.run();
        try {
            other.join();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    @Test
    void whoLooksOnSeesNumbersThatOnlyGrowAndNoneThatWasNeverThere() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var counts = new LineCounts();
            var seen = new long[2];
            meet(
                    () -> {
                        counts.ended(FrameVerb.NEXT, Outcome.ANSWERED, 5);
                        counts.add(Event.FRAMES, 1);
                        counts.ended(FrameVerb.NEXT, Outcome.REFUSED, 7);
                    },
                    () -> {
                        seen[0] = counts.ended(FrameVerb.NEXT);
                        seen[1] = counts.ended(FrameVerb.NEXT);
                    });
            assertTrue(0 <= seen[0] && seen[0] <= seen[1] && seen[1] <= 2, () -> seen[0] + ", then " + seen[1]);
            assertEquals(2, counts.ended(FrameVerb.NEXT));
            assertEquals(12, counts.nanos(FrameVerb.NEXT));
            assertEquals(1, counts.count(Event.FRAMES));
        });
    }

    @Test
    void whoIsRefusedAtOnceIsCountedWhateverThread() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var counts = new LineCounts();
            meet(counts::overloaded, counts::overloaded);
            assertEquals(2, counts.overload());
        });
    }
}
