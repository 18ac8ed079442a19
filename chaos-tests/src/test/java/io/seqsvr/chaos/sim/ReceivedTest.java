package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReceivedTest {
    private final Received received = new Received(2);

    private Optional<String> takeIn(int user, long first, long last) {
        return received.takeIn(user, new Answer.Range(user, first, last, 1));
    }

    private void refuse(Refusal refusal) {
        received.takeIn(1, new Answer.Refused(refusal, "fake"));
    }

    /** What is known of where user 1 stands. */
    private void markAt(long seq) {
        received.mark();
        takeIn(1, seq, seq);
        received.mark();
    }

    @Test
    void theSameTwiceIsToldOfOneUserOnly() {
        assertEquals(Optional.empty(), takeIn(1, 5, 9));
        assertEquals(Optional.of("5 to 9"), takeIn(1, 9, 12));
        assertEquals(Optional.empty(), takeIn(1, 1, 4));
        assertEquals(Optional.empty(), takeIn(0, 5, 9));
    }

    /** A call that was given up, and answered when its owner went on much later. */
    @Test
    void whatMayBeTheSameAsWhatWasForgottenIsCounted() {
        for (int seq = 1; seq <= 200; seq++) {
            takeIn(1, seq, seq);
        }
        assertEquals(Optional.of("150 to 150"), takeIn(1, 150, 150));
        assertEquals(0, received.unjudged());
        assertEquals(Optional.empty(), takeIn(1, 1, 1));
        assertEquals(1, received.unjudged());
    }

    @Test
    void nothingIsMissingOfWhatComesInWhateverOrder() {
        markAt(7);
        takeIn(1, 10, 12);
        takeIn(1, 8, 9);
        assertEquals(0, received.missing(1));
    }

    @Test
    void whatIsBelowTheGreatestAndHasNotComeIsMissing() {
        markAt(7);
        takeIn(1, 9, 9);
        takeIn(1, 13, 14);
        assertEquals(4, received.missing(1));
        assertEquals(0, received.missing(0));
    }

    @Test
    void ofWhomNothingCameBetweenTwoMarksNothingIsCounted() {
        received.mark();
        takeIn(0, 1, 1);
        received.mark();
        takeIn(1, 9, 9);
        assertEquals(0, received.missing(1));
    }

    @Test
    void norOfWhomACallMayHaveUsedUpANumberInVain() {
        markAt(7);
        refuse(Refusal.NOT_OWNER);
        takeIn(1, 9, 9);
        assertEquals(1, received.missing(1));
        refuse(Refusal.DEADLINE_PASSED);
        assertEquals(0, received.missing(1));
    }
}
