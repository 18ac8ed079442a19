package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Frames at a router: what goes to whom, what is left, and whose answers are believed. */
class FrameSplitTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final String A = "127.0.0.1:1";
    private static final String B = "127.0.0.1:2";

    private final RouteBook book = new RouteBook();

    /** Segments 0 to 3 are A's under epoch 5, 4 to 7 are B's under epoch 6, the others nobody's. */
    private void learnOwners() {
        var ranges = List.of(new RouteRange(1, 0, 3, 1, 5), new RouteRange(1, 4, 7, 2, 6));
        var owners = List.of(new RouteOwner(1, A, "a"), new RouteOwner(2, B, "b"));
        book.learn(new RoutePicture("test", 1, List.of(MESSAGES), owners, new RouteTable(1, ranges)));
    }

    private static FrameCalls next(long... uids) {
        var calls = new FrameCalls().namespaceName("messages").verb(FrameVerb.NEXT);
        for (long uid : uids) {
            calls.uids().add(uid);
        }
        return calls;
    }

    private FrameSplit split(FrameCalls calls) {
        return FrameSplit.of(book, calls, FrameVerb.of(calls.verb()).orElseThrow());
    }

    @Test
    void eachOwnerGetsItsCallsInOrderWithTheNewestEpochOfEachSegment() {
        learnOwners();
        var frame = next(450, 7, 390, 451, 8);
        for (long count : new long[] {1, 2, 3, 4, 5}) {
            frame.counts().add(count);
        }
        var split = split(frame);
        assertTrue(split.unrouted().isEmpty());
        var toB = split.parts().get(0);
        var toA = split.parts().get(1);
        assertEquals(List.of(B, A), List.of(toB.address(), toA.address()));
        assertArrayEquals(new long[] {450, 451}, toB.calls().uids().toArray());
        assertArrayEquals(new long[] {1, 4}, toB.calls().counts().toArray());
        assertArrayEquals(new int[] {4}, toB.calls().segments().toArray());
        assertArrayEquals(new long[] {6}, toB.calls().leastEpochs().toArray());
        assertArrayEquals(new long[] {7, 390, 8}, toA.calls().uids().toArray());
        assertArrayEquals(new int[] {0, 3}, toA.calls().segments().toArray());
        assertEquals(2, toA.placeInFrame(1));
        assertEquals(new Call.Next("messages", 390, 3, 0), toA.call(1));
    }

    /** Else what a caller may send could come to more than its owner reads, and end the stream that all share. */
    @Test
    void aPartIsNoLongerThanItsOwnerReadsAndEachNamesTheEpochs() {
        learnOwners();
        var split = split(next(LongStream.range(0, 10_000).map(i -> i % 400).toArray()));
        assertEquals(
                List.of(5_000, 5_000),
                split.parts().stream().map(FramePart::size).toList());
        for (var part : split.parts()) {
            assertEquals(A, part.address());
            assertArrayEquals(
                    new int[] {0, 1, 2, 3},
                    IntStream.of(part.calls().segments().toArray()).sorted().toArray());
            assertArrayEquals(
                    new long[] {5, 5, 5, 5}, part.calls().leastEpochs().toArray());
        }
        assertEquals(5_000, split.parts().get(1).placeInFrame(0));
    }

    @Test
    void whatNobodyAnswersNowIsLeft() {
        assertEquals(2, split(next(7, 8)).unrouted().size(), "before the first picture");
        learnOwners();
        var split = split(next(950, 1_000, 7));
        assertEquals(
                List.of(
                        new FrameSplit.Unrouted(0, new Call.Next("messages", 950, 1, 0), 0),
                        new FrameSplit.Unrouted(1, new Call.Next("messages", 1_000, 1, 0), 0)),
                split.unrouted());
        assertEquals(1, split.parts().size());
    }

    @Test
    void callersThatHaveSeenANewerEpochAreNotSentToAnOlderOwner() {
        learnOwners();
        var frame = next(7, 450, 107);
        frame.segments().add(0);
        frame.leastEpochs().add(6);
        frame.segments().add(1);
        frame.leastEpochs().add(5);
        frame.segments().add(4);
        frame.leastEpochs().add(-1);
        var split = split(frame);
        assertEquals(
                List.of(
                        new FrameSplit.Unrouted(0, new Call.Next("messages", 7, 1, 0), 6),
                        new FrameSplit.Unrouted(1, new Call.Next("messages", 450, 1, 0), Long.MAX_VALUE)),
                split.unrouted());
        assertArrayEquals(new long[] {107}, split.parts().get(0).calls().uids().toArray());
    }

    @Test
    void onlyAnswersThatFitTheirCallUnderAKnownEpochAreOnes() {
        learnOwners();
        var frame = next(7, 107, 207);
        frame.floors().add(0);
        frame.floors().add(50);
        frame.floors().add(0);
        var part = split(frame).parts().get(0);
        part.answered(IntColumn.of(0, 1, 2, 99), LongColumn.of(7, 5, 4, 9));
        assertEquals(7, part.epochOf(0, 1));
        assertEquals(0, part.epochOf(0, 0), "no sequence");
        assertEquals(0, part.epochOf(1, 49), "below the bound of its call");
        assertEquals(5, part.epochOf(1, 50));
        assertEquals(0, part.epochOf(2, 3), "of a former owner");
        assertEquals(0, part.epochOfSegment(2));
        assertEquals(0, part.epochOfSegment(99));
        assertEquals(1, book.disbelieved());
    }

    @Test
    void anEpochThatOnePartLearnedHoldsForThoseThatAreSplitLater() {
        learnOwners();
        var early = split(next(7)).parts().get(0);
        var late = split(next(8)).parts().get(0);
        late.answered(IntColumn.of(0), LongColumn.of(9));
        early.answered(IntColumn.of(0), LongColumn.of(5));
        assertEquals(5, early.epochOf(0, 3), "it was on its way");
        var later = split(next(7)).parts().get(0);
        assertArrayEquals(new long[] {9}, later.calls().leastEpochs().toArray());
        later.answered(IntColumn.of(0), LongColumn.of(5));
        assertEquals(0, later.epochOf(0, 4));
    }

    @Test
    void aSegmentThatWasNotAskedAboutIsNotAnswered() {
        learnOwners();
        var part = split(next(7)).parts().get(0);
        part.answered(IntColumn.of(0, 1), LongColumn.of(5, 9));
        assertEquals(0, part.epochOfSegment(1));
        assertEquals(5, part.epochOfSegment(0));
    }

    @Test
    void everyCallOfARandomFrameIsInOnePlace() {
        learnOwners();
        long seed = Long.getLong("seqsvr.seed", System.nanoTime());
        System.out.println(
                "seed " + seed + "; replay with mvn -pl core test -Dtest=FrameSplitTest -Dseqsvr.seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            long[] uids = random.longs(1 + random.nextInt(300), 0, 1_050).toArray();
            var split = split(next(uids));
            var found = new long[uids.length];
            for (var part : split.parts()) {
                for (int i = 0; i < part.size(); i++) {
                    found[part.placeInFrame(i)] += 1 + part.call(i).uid();
                    var segment =
                            new SegmentId(1, MESSAGES.segmentOf(part.call(i).uid()));
                    assertEquals(segment.index() < 4 ? A : B, part.address());
                }
                assertEquals(
                        part.calls().segments().size(),
                        IntStream.of(part.calls().segments().toArray())
                                .distinct()
                                .count());
            }
            split.unrouted().forEach(one -> found[one.place()] += 1 + one.call().uid());
            for (int i = 0; i < uids.length; i++) {
                assertEquals(1 + uids[i], found[i]);
            }
        }
    }
}
