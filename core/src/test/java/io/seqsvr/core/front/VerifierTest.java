package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import org.junit.jupiter.api.Test;

/** What a caller was answered is remembered as long as there is a place, and never mistaken for another user's. */
class VerifierTest {
    private final Verifier verifier = new Verifier(4);

    @Test
    void theGreatestSequenceOfAUserIsRemembered() {
        verifier.answered(1, new Answer.Range(7, 11, 15, 1));
        verifier.answered(1, new Answer.Range(7, 3, 3, 1));
        assertEquals(15, verifier.seen(1, 7));
        verifier.answered(1, new Answer.Lifted(7, 40, 1));
        assertEquals(40, verifier.seen(1, 7));
        verifier.answered(1, new Answer.Reading(7, 50, true, 1));
        assertEquals(50, verifier.seen(1, 7));
    }

    @Test
    void aBoundAndARefusalTellNothing() {
        verifier.answered(1, new Answer.Reading(7, 50, false, 1));
        verifier.answered(1, new Answer.Refused(Refusal.NOT_OWNER, "no"));
        assertEquals(0, verifier.seen(1, 7));
        assertTrue(Verifier.goesForward(new Answer.Refused(Refusal.NOT_OWNER, "no"), 9));
    }

    @Test
    void ofManyUsersSomeAreForgottenAndNoneIsTakenForAnother() {
        for (long uid = 0; uid < 100; uid++) {
            for (int namespace = 1; namespace <= 2; namespace++) {
                verifier.answered(namespace, new Answer.Range(uid, 1, 1_000 * uid + namespace, 1));
                assertEquals(1_000 * uid + namespace, verifier.seen(namespace, uid));
            }
        }
        int remembered = 0;
        for (long uid = 0; uid < 100; uid++) {
            for (int namespace = 1; namespace <= 2; namespace++) {
                long seen = verifier.seen(namespace, uid);
                assertTrue(seen == 0 || seen == 1_000 * uid + namespace, () -> "seen is " + seen);
                remembered += seen > 0 ? 1 : 0;
            }
        }
        assertTrue(remembered >= 1 && remembered <= 4, "remembered: " + remembered);
    }

    @Test
    void aSequenceMustBeAboveWhatWasSeenAndAReadingOrALiftNotBelow() {
        assertFalse(Verifier.goesForward(new Answer.Range(7, 9, 12, 1), 9));
        assertTrue(Verifier.goesForward(new Answer.Range(7, 10, 12, 1), 9));
        assertFalse(Verifier.goesForward(new Answer.Reading(7, 8, true, 1), 9));
        assertTrue(Verifier.goesForward(new Answer.Reading(7, 9, false, 1), 9));
        assertFalse(Verifier.goesForward(new Answer.Lifted(7, 8, 1), 9));
        assertTrue(Verifier.goesForward(new Answer.Lifted(7, 9, 1), 9));
    }

    @Test
    void noPlacesRememberNobodyAndABoundIsChecked() {
        Verifier.NONE.answered(1, new Answer.Range(7, 1, 1, 1));
        assertEquals(0, Verifier.NONE.seen(1, 7));
        assertThrows(IllegalArgumentException.class, () -> new Verifier(-1));
        assertThrows(IllegalArgumentException.class, () -> new Verifier((1 << 24) + 1));
    }
}
