package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A number that must not be is seen, and no other. */
final class CheckerTest {
    private static final int ADA = 0;
    private static final int BOB = 1;

    private final Checker checker = new Checker(2);

    /** A call that is sent, and answered before anything else happens. */
    private void call(int user, long number) {
        checker.received(user, number, checker.seen(user));
    }

    private void assertSeen(long backward, long duplicates) {
        assertEquals(backward, checker.backward(), "backward");
        assertEquals(duplicates, checker.duplicates(), "duplicates");
    }

    @Test
    void numbersThatGrowAreRightForEachUserAlone() {
        call(ADA, 1);
        call(ADA, 2);
        call(BOB, 1);
        call(ADA, 1_000_000);
        call(ADA, Long.MAX_VALUE);
        call(BOB, 2);
        assertEquals(Long.MAX_VALUE, checker.seen(ADA));
        assertEquals(2, checker.seen(BOB));
        assertSeen(0, 0);
    }

    @Test
    void aStepBackIsSeenHoweverFar() {
        call(ADA, 1_000);
        call(ADA, 999);
        assertSeen(1, 0);
        call(ADA, 1);
        assertSeen(2, 0);
        assertEquals(1_000, checker.seen(ADA), "what was received stays");
        call(ADA, 1_001);
        assertSeen(2, 0);
    }

    @Test
    void aNumberThatComesAgainIsADuplicateAndAStepBack() {
        call(ADA, 7);
        call(ADA, 7);
        assertSeen(1, 1);
    }

    @Test
    void callsThatAreUnderWayTogetherMayBeAnsweredInAnyOrder() {
        call(ADA, 10);
        long seen = checker.seen(ADA);
        checker.received(ADA, 13, seen);
        checker.received(ADA, 11, seen);
        checker.received(ADA, 12, seen);
        assertSeen(0, 0);
    }

    @Test
    void ofThoseTwoThatGotOneNumberAreADuplicateOnly() {
        call(ADA, 10);
        long seen = checker.seen(ADA);
        checker.received(ADA, 11, seen);
        checker.received(ADA, 12, seen);
        checker.received(ADA, 12, seen);
        assertSeen(0, 1);
        checker.received(ADA, 11, seen);
        assertSeen(0, 2);
    }

    @Test
    void aNumberThatCameLateIsRememberedToo() {
        long seen = checker.seen(ADA);
        checker.received(ADA, 5, seen);
        checker.received(ADA, 3, seen);
        checker.received(ADA, 3, seen);
        assertSeen(0, 1);
    }

    @Test
    void aStepBackBehindANumberThatWasThereIsSeenAlthoughAGreaterOneCameMeanwhile() {
        call(ADA, 1_000);
        long seen = checker.seen(ADA);
        checker.received(ADA, 1_001, seen);
        checker.received(ADA, 500, seen);
        assertSeen(1, 0);
    }

    @Test
    void itRemembersThe64BelowTheGreatest() {
        call(ADA, 1);
        long seen = checker.seen(ADA);
        checker.received(ADA, 2, seen);
        checker.received(ADA, 66, seen);
        checker.received(ADA, 2, seen);
        assertSeen(0, 1);
        checker.received(ADA, 67, seen);
        checker.received(ADA, 3, seen);
        checker.received(ADA, 3, seen);
        assertSeen(0, 2);
        checker.received(ADA, 2, seen);
        assertSeen(0, 2);
    }

    @Test
    void aFarJumpForgetsNothingThatIsStillNear() {
        call(ADA, 100);
        long seen = checker.seen(ADA);
        checker.received(ADA, 165, seen);
        checker.received(ADA, 164, seen);
        checker.received(ADA, 163, seen);
        assertSeen(0, 0);
        checker.received(ADA, 163, seen);
        assertSeen(0, 1);
    }

    @Test
    void noUserEverGetsZeroOrLess() {
        call(ADA, 0);
        call(BOB, -1);
        assertSeen(2, 0);
    }
}
