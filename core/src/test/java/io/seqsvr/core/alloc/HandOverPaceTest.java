package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What many segments that go at once would cost those who wait: so they go few at a time. */
class HandOverPaceTest {
    private static final int SEGMENTS = 2 * Pace.FEW + 2;
    private static final long BETWEEN_MILLIS = Pace.BETWEEN_NANOS / 1_000_000;

    private static Pair cluster(int segments) {
        return new Pair(new Namespace(1, "messages", segments, 1, 100, 1_000, Long.MAX_VALUE));
    }

    private static void ask(Bench owner, int segments) {
        for (int segment = 0; segment < segments; segment++) {
            owner.request(segment, 1);
        }
    }

    private static void drain(Pair pair) {
        pair.alice.wake();
        pair.alice.allocator.stop(pair.clock.now());
        pair.alice.wake();
        go(pair);
    }

    private static void go(Pair pair) {
        pair.exchange();
        pair.bob.wake();
    }

    private static void nextGroup(Pair pair) {
        pair.passMillis(BETWEEN_MILLIS);
        go(pair);
    }

    @Test
    void fewGoAtATimeAndAPauseIsBetween() {
        var pair = cluster(SEGMENTS);
        ask(pair.alice, SEGMENTS);
        drain(pair);
        assertEquals(Pace.FEW, pair.bob.allocator.segmentsOwned());
        assertEquals(2, pair.alice.next(SEGMENTS - 1), "what waits is served as ever");
        pair.passMillis(BETWEEN_MILLIS - Bench.TICK_MILLIS);
        go(pair);
        assertEquals(Pace.FEW, pair.bob.allocator.segmentsOwned());
        pair.passMillis(Bench.TICK_MILLIS);
        go(pair);
        assertEquals(2 * Pace.FEW, pair.bob.allocator.segmentsOwned());
        nextGroup(pair);
        assertEquals(SEGMENTS, pair.bob.allocator.segmentsOwned());
        assertEquals(3, pair.bob.next(SEGMENTS - 1), "without a gap");
        assertTrue(pair.alice.allocator.stopped());
    }

    @Test
    void whatNobodyAskedForGoesAlong() {
        var pair = cluster(SEGMENTS);
        ask(pair.alice, Pace.FEW - 1);
        drain(pair);
        assertEquals(SEGMENTS, pair.bob.allocator.segmentsOwned());
    }

    @Test
    void ofVeryManyMoreGoAtATime() {
        int many = 100 * Pace.FEW;
        var pair = cluster(many);
        ask(pair.alice, many);
        drain(pair);
        int groups = 1;
        for (; !pair.alice.allocator.stopped() && groups < 2 * Pace.GROUPS; groups++) {
            nextGroup(pair);
        }
        assertTrue(groups <= Pace.GROUPS + 1, "in " + groups + " groups");
        assertEquals(many, pair.bob.allocator.segmentsOwned());
    }

    /** AllocSvr gives a stop up after 8 s, so there is no time left for pauses. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1_000, 2_000})
    void aStopBesideADeadReceiverIsOverInTime(int many) {
        var pair = cluster(many);
        var carol = new Bench(pair.store, pair.clock, "carol");
        carol.tick();
        ask(pair.alice, many);
        pair.alice.wake();
        pair.alice.allocator.stop(pair.clock.now());
        pair.alice.wake();
        long dead = pair.alice.told.get(0).to();
        var living = dead == carol.allocator.session() ? pair.bob : carol;
        long passed = 0;
        for (; !pair.alice.allocator.stopped() && passed < 20_000; passed += Bench.TICK_MILLIS) {
            pair.alice.told.removeIf(tell -> tell.to() == dead);
            Pair.exchange(pair.alice, living);
            pair.passMillis(Bench.TICK_MILLIS);
            carol.tick();
        }
        assertEquals(many, living.allocator.segmentsOwned());
        assertTrue(passed < 6_000, "after " + passed + " ms");
    }

    @Test
    void aReceiverThatWasSilentOnceEndsThePausesOnlyForAWhile() {
        var pair = cluster(SEGMENTS);
        var dead = new Bench(pair.store, pair.clock, "carol");
        dead.tick();
        ask(pair.alice, SEGMENTS);
        pair.alice.wake();
        pair.alice.handOver(0, dead.allocator.session());
        pair.passMillis(Departures.COPYING_NANOS / 1_000_000 + Bench.TICK_MILLIS);
        pair.alice.told.clear();
        pair.passMillis(DepartureQueue.HURRY_NANOS / 1_000_000);
        for (int segment = 0; segment < SEGMENTS; segment++) {
            pair.alice.handOver(segment, pair.bob.allocator.session());
        }
        go(pair);
        assertEquals(Pace.FEW, pair.bob.allocator.segmentsOwned());
        nextGroup(pair);
        assertEquals(2 * Pace.FEW, pair.bob.allocator.segmentsOwned());
    }

    @Test
    void whatIsLostWhileItWaitsSetsOutForNobody() {
        var pair = cluster(SEGMENTS);
        ask(pair.alice, SEGMENTS);
        drain(pair);
        pair.release(SEGMENTS - 1, 1);
        pair.publish(SEGMENTS - 1, pair.bob.allocator.session());
        pair.bob.wake();
        long ticket = pair.alice.waitFor(SEGMENTS - 1, 100);
        Bench.assertRefused(Refusal.NOT_OWNER, pair.alice.outcome(ticket));
        nextGroup(pair);
        nextGroup(pair);
        assertEquals(SEGMENTS, pair.bob.allocator.segmentsOwned());
        assertEquals(2, pair.bob.next(SEGMENTS - 1));
        assertTrue(pair.alice.allocator.stopped());
    }

    /** Else the last ones of many would be late for a stop: groups are sized by what was asked for before. */
    @Test
    void whatIsAskedForWhileItWaitsGoesAlongAllTheSame() {
        var pair = cluster(SEGMENTS);
        ask(pair.alice, Pace.FEW + 1);
        drain(pair);
        assertEquals(Pace.FEW, pair.bob.allocator.segmentsOwned());
        for (int segment = Pace.FEW + 1; segment < SEGMENTS; segment++) {
            assertEquals(1, pair.alice.next(segment));
        }
        nextGroup(pair);
        assertEquals(SEGMENTS, pair.bob.allocator.segmentsOwned());
        assertEquals(2, pair.bob.next(SEGMENTS - 1), "without a gap");
    }

    /** Since it came into the queue it was served for seconds. */
    @Test
    void whatGetsManyUsersWhileItWaitsLeavesNoGap() {
        int pages = 2 * Departures.REST_PAGES;
        int size = pages * 1_024;
        int last = Pace.FEW;
        var pair = new Pair(new Namespace(1, "messages", (last + 1L) * size, size, 100, 1_000, Long.MAX_VALUE));
        for (int segment = 0; segment <= last; segment++) {
            pair.alice.request((long) segment * size, 9);
        }
        drain(pair);
        assertEquals(last, pair.bob.allocator.segmentsOwned());
        for (int page = 1; page < pages; page++) {
            pair.alice.next((long) last * size + page * 1_024L);
        }
        nextGroup(pair);
        assertEquals(last + 1, pair.bob.allocator.segmentsOwned());
        assertEquals(2, pair.bob.next((long) last * size + 7 * 1_024L));
    }
}
