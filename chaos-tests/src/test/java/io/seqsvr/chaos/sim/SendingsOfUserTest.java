package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Which sequences an EXACT reading may show, by what became of the calls that may have taken them. */
final class SendingsOfUserTest {
    private final SendingsOfUser user = new SendingsOfUser();

    private void handOut(long floor, long last) {
        user.sent(floor);
        user.handedOut(floor, last);
    }

    private void refuse(long floor, long received) {
        user.sent(floor);
        user.refused(floor, received);
    }

    private void assertTaken(long seq) {
        user.read(seq);
        assertEquals(0, user.takenByNobody());
    }

    private void assertTakenByNobody(long seq) {
        user.read(seq);
        assertEquals(seq, user.takenByNobody());
    }

    @Test
    void theLastSequenceThatLeftAnOwnerIsTakenThoughNobodyReceivedIt() {
        handOut(0, 7);
        assertTaken(7);
        assertTakenByNobody(6);
    }

    @Test
    void whatWasLostOnItsWayTookNothing() {
        user.sent(0);
        user.lost(0);
        assertTakenByNobody(1);
    }

    @Test
    void whatNeverEndedTookOneSequenceAboveAllThatHadBeenReceived() {
        user.sent(5);
        assertTaken(9);
        assertTaken(9);
        user.sent(5);
        assertTakenByNobody(5);
    }

    @Test
    void oneSendingTookOneSequence() {
        user.sent(5);
        assertTaken(9);
        assertTakenByNobody(12);
    }

    @Test
    void aReadingMayComeBeforeItsRangeLeavesButNoOtherRangeExplainsIt() {
        user.sent(0);
        assertTaken(5);
        user.handedOut(0, 5);
        assertTaken(5);
        user.sent(5);
        assertTaken(8);
        user.handedOut(5, 9);
        assertEquals(8, user.takenByNobody());
    }

    @Test
    void whatWasRefusedMayHaveUsedASequenceUp() {
        refuse(5, 6);
        assertTaken(9);
        assertTakenByNobody(10);
    }

    @Test
    void whatLeftAfterARefusalAndIsAnsweredLiesAboveAllThatWasUsedUp() {
        refuse(5, 5);
        // It left before more than that had been received: perhaps before the refusal.
        user.answered(5, 7);
        assertTaken(20);

        var other = new SendingsOfUser();
        other.sent(5);
        other.refused(5, 5);
        other.answered(6, 7);
        other.read(8);
        assertEquals(8, other.takenByNobody());
    }

    @Test
    void aReadingThatLeftBeforeTheRefusalMayStillShowWhatWasUsedUp() {
        refuse(5, 5);
        user.answered(6, 7);
        assertTaken(7);
    }

    @Test
    void whatUsedNothingUpIsForgottenWithTheNextAnswer() {
        refuse(5, 5);
        user.answered(6, 5);
        assertTakenByNobody(6);
    }

    @Test
    void theRefusalThatReachesNoFurtherIsTheFirstToExplain() {
        refuse(0, 1);
        user.answered(2, 6);
        refuse(2, 2);
        assertTaken(8);
        assertTaken(4);
        user.read(5);
        // The other one took 5, and nobody is left for 8.
        assertEquals(8, user.takenByNobody());
    }

    /** What made the rule worth nothing after a minute: every call that brought nothing counted for ever. */
    @Test
    void howeverManyBroughtNothingWhatNobodyTookIsSeen() {
        for (long seq = 1; seq <= 100_000; seq++) {
            refuse(seq - 1, seq - 1);
            user.sent(seq - 1);
            user.lost(seq - 1);
            handOut(seq - 1, seq);
            user.answered(seq, seq);
            assertTaken(seq);
        }
        assertEquals(0, user.unjudged());
        assertTakenByNobody(100_001);
    }

    @Test
    void whatCameTooLateIsNotJudgedAndCounted() {
        for (long seq = 1; seq <= 1_000; seq++) {
            handOut(seq - 1, 2 * seq);
        }
        assertTaken(3);
        assertEquals(1, user.unjudged());
        assertTaken(2_000);
        assertEquals(1, user.unjudged());
        assertTakenByNobody(1_999);
    }

    @Test
    void whatNeverLeftCannotEnd() {
        assertThrows(IllegalStateException.class, () -> user.lost(0));
        handOut(0, 1);
        assertThrows(IllegalStateException.class, () -> user.refused(0, 1));
    }
}
