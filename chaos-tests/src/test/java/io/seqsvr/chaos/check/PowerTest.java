package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class PowerTest {
    private static final Operation WRONG = new Operation.Next(1, 1, 1, 2, 90, 91);

    private final List<Operation> history = new ArrayList<>();
    private long seq;

    @Test
    void aRequestSentToTheNewOwnerAfterTheOldOnesReplyIsAStraddle() {
        reply(1, 1, 0, 10);
        reply(1, 2, 13, 20);
        assertEquals(new Power(1, 1, 1, 1, OptionalLong.of(3), 0), Power.of(history));
        assertEquals(Judgement.Outcome.VALID, Judgement.of(history).outcome());
    }

    @Test
    void aRequestUnderWayAcrossTheChangeIsNone() {
        reply(1, 1, 0, 10);
        reply(1, 2, 9, 20);
        assertEquals(new Power(1, 1, 1, 0, OptionalLong.empty(), 0), Power.of(history));
        assertEquals(Judgement.Outcome.INVALID, Judgement.of(history).outcome());
    }

    @Test
    void aRequestSentAtTheTickOfTheReplyIsNone() {
        reply(1, 1, 0, 10);
        reply(1, 2, 10, 20);
        assertEquals(0, Power.of(history).straddles());
    }

    @Test
    void oneOwnerForAllOfTheRunProvesNothing() {
        reply(1, 1, 0, 10);
        reply(1, 1, 11, 20);
        assertEquals(new Power(1, 0, 0, 0, OptionalLong.empty(), 0), Power.of(history));
        assertEquals(Judgement.Outcome.INVALID, Judgement.of(history).outcome());
    }

    @Test
    void anEmptyRunProvesNothing() {
        assertEquals(new Power(0, 0, 0, 0, OptionalLong.empty(), 0), Power.of(history));
        assertEquals(Judgement.Outcome.INVALID, Judgement.of(history).outcome());
    }

    @Test
    void aViolationIsOneWithPowerOrWithout() {
        history.add(new Operation.Next(1, 2, 2, 2, 0, 1));
        history.add(WRONG);
        assertEquals(0, Power.of(history).straddles());
        assertEquals(Judgement.Outcome.VIOLATION, Judgement.of(history).outcome());
    }

    @Test
    void aPairCountsOncePerUserAndChangeHoweverManyRequestsFollow() {
        reply(1, 1, 0, 10);
        reply(1, 1, 1, 12);
        reply(1, 2, 11, 20);
        reply(1, 2, 17, 31);
        reply(1, 2, 15, 32);
        reply(1, 2, 18, 33);
        reply(1, 4, 40, 41);
        assertEquals(new Power(1, 2, 2, 2, OptionalLong.of(3), 0), Power.of(history));
    }

    @Test
    void usersCountEachForItselfAndTheOneThatSawTheFewestChangesIsTold() {
        reply(1, 1, 0, 10);
        reply(2, 1, 0, 10);
        reply(1, 2, 11, 20);
        assertEquals(new Power(2, 1, 0, 1, OptionalLong.of(1), 0), Power.of(history));
    }

    @Test
    void aUserWithoutAReplySawNoChange() {
        reply(1, 1, 0, 10);
        reply(1, 2, 11, 20);
        history.add(new Operation.Unserved(2, 5, false));
        assertEquals(new Power(2, 1, 0, 1, OptionalLong.of(1), 0), Power.of(history));
    }

    @Test
    void aReplyOfAFormerOwnerIsCountedAndThePairBeginsAnewAfterIt() {
        reply(1, 1, 0, 10);
        reply(1, 2, 11, 20);
        reply(1, 1, 5, 30);
        assertEquals(new Power(1, 1, 1, 0, OptionalLong.empty(), 1), Power.of(history));
        reply(1, 2, 25, 35);
        reply(1, 2, 34, 40);
        assertEquals(new Power(1, 1, 1, 1, OptionalLong.of(4), 1), Power.of(history));
    }

    @Test
    void aRefusalByOneThatIsNotTheOwnerIsACallThatAFormerOwnerAnswered() {
        history.add(new Operation.Unserved(1, 5, true));
        assertEquals(new Power(1, 0, 0, 0, OptionalLong.empty(), 1), Power.of(history));
    }

    @Test
    void aJudgementSaysWhatTheRunCouldHaveSeen() {
        reply(1, 1, 0, 10);
        reply(1, 2, 13, 20);
        assertEquals(
                "VALID: 1 of 1 changes of owner straddled, at least 1 changes for each of 1 users, smallest gap 3, "
                        + "0 calls answered by a former owner; 2 operations of 1 users, 0 violations",
                Judgement.of(history).toString());
    }

    private void reply(long uid, long epoch, long invoked, long returned) {
        seq++;
        history.add(new Operation.Next(uid, seq, seq, epoch, invoked, returned));
    }
}
