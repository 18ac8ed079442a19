package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What speaks against a picture: who shows it may be cut off, and never hear of the next owner. */
class DoubtTest {
    private final CallsBench bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));

    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    private static Answer refused(Refusal refusal) {
        return new Answer.Refused(refusal, "no");
    }

    @Test
    void twoRefusalsInARowByNoOwnerMakeThePictureOutdated() {
        bench.next(1);
        bench.next(2);
        bench.answer(bench.onlyFrame(), refused(Refusal.NOT_OWNER), refused(Refusal.NOT_OWNER));
        assertFalse(bench.calls.book().outdated(), "one reply is one refusal");
        bench.rest();
        bench.answer(bench.onlyFrame(), refused(Refusal.NOT_OWNER), refused(Refusal.NOT_OWNER));
        assertTrue(bench.calls.book().outdated());
    }

    /** Whoever shows the picture may be cut off, and go on showing an owner that is dead. */
    @Test
    void anOwnerThatCannotBeReachedMakesThePictureDoubtful() {
        bench.next(1);
        bench.calls.unanswered(bench.onlyFrame().correlation(), bench.now());
        assertFalse(bench.calls.book().doubtful(), "a connection may break");
        bench.rest();
        bench.calls.unanswered(bench.onlyFrame().correlation(), bench.now());
        assertTrue(bench.calls.book().doubtful());
        bench.rest();
        bench.answer(bench.onlyFrame(), seq(1, 1));
        assertFalse(bench.calls.book().doubtful());
    }

    @Test
    void soDoesOneThatAnswersNobodyButNotOneThatTakesItsTimeForSome() {
        bench.next(1);
        bench.onlyFrame();
        bench.losePatience();
        bench.rest();
        bench.onlyFrame();
        bench.losePatience();
        assertTrue(bench.calls.book().doubtful());
        var slow = new CallsBench(new CallLimits(2, 3, 6, CallsBench.PATIENCE));
        slow.give(2, 0);
        slow.next(1);
        slow.onlyFrame();
        for (int turns = 0; turns < 3; turns++) {
            slow.next(21);
            slow.answer(slow.onlyFrame(), seq(21, turns + 1));
            slow.losePatience();
            slow.rest();
            slow.onlyFrame();
        }
        assertFalse(slow.calls.book().doubtful());
    }

    /** Cut off from StoreSvr an owner goes on answering, with a no, and may show its last picture for ever. */
    @ParameterizedTest
    @EnumSource(names = {"LEASE_EXPIRED", "NOT_READY", "DEADLINE_PASSED"})
    void soDoesAnOwnerThatMayAnswerNobody(Refusal refusal) {
        bench.next(1);
        bench.answer(bench.onlyFrame(), refused(refusal));
        assertFalse(bench.calls.book().doubtful(), "it may have just begun");
        bench.rest();
        bench.answer(bench.onlyFrame(), refused(refusal));
        assertTrue(bench.calls.book().doubtful());
        assertFalse(bench.calls.book().outdated(), "nothing says that there is another owner");
        bench.rest();
        bench.answer(bench.onlyFrame(), seq(1, 1));
        assertFalse(bench.calls.book().doubtful());
    }

    @Test
    void butNotOneThatAnswersSomeWhileOthersWaitForStoreSvr() {
        for (int turn = 0; turn < 3; turn++) {
            bench.next(2);
            bench.next(1);
            bench.answer(bench.onlyFrame(), seq(2, turn + 1), refused(Refusal.DEADLINE_PASSED));
            assertFalse(bench.calls.book().doubtful());
            bench.rest();
            bench.answer(bench.onlyFrame(), seq(1, turn + 1));
        }
    }
}
