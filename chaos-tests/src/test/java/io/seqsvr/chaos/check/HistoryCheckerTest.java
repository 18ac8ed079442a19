package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories written by hand; more of them, by the mistake that each uncovers, in {@link CheckerMutantsTest}. */
final class HistoryCheckerTest {
    @Test
    void aReplyThatGoesBackIsCaught() {
        var before = next(101, 0, 1);
        var after = next(100, 2, 3);
        assertEquals(List.of(new Violation(Rule.ORDERED, before, after)), violations(before, after));
    }

    @Test
    void twoRepliesSwappedInTimeAreCaughtAndTwoInFlightTogetherAreNot() {
        assertEquals(List.of(Rule.ORDERED), rules(next(2, 0, 1), next(1, 2, 3)));
        assertEquals(List.of(), rules(next(2, 0, 2), next(1, 1, 3)));
    }

    @Test
    void aDuplicateOfTwoCallsInFlightTogetherIsCaught() {
        assertEquals(List.of(Rule.UNIQUE), rules(next(7, 0, 5), next(7, 1, 4)));
    }

    @Test
    void aDuplicateAfterTheReplyBreaksBothRules() {
        assertEquals(List.of(Rule.UNIQUE, Rule.ORDERED), rules(next(7, 0, 1), next(7, 2, 3)));
    }

    @Test
    void aRangeInsideAnotherIsCaughtThoughItsNeighbourInOrderIsDisjoint() {
        var wide = next(1, 100, 0, 9);
        var inside = next(2, 3, 0, 9);
        var alsoInside = next(50, 50, 0, 9);
        assertEquals(
                List.of(new Violation(Rule.UNIQUE, wide, inside), new Violation(Rule.UNIQUE, wide, alsoInside)),
                violations(alsoInside, inside, wide));
    }

    @Test
    void theOldOwnersLateReplyIsCaughtAgainstAnyReplyAndNotOnlyTheLatest() {
        var newOwner = next(10_001, 0, 1);
        var slowOldOwner = next(5, 0, 2);
        var staleAgain = next(6, 3, 4);
        assertEquals(
                List.of(new Violation(Rule.ORDERED, newOwner, staleAgain)),
                violations(newOwner, slowOldOwner, staleAgain));
    }

    @Test
    void gapsAreNoViolation() {
        assertEquals(List.of(), rules(next(1, 0, 1), next(10_001, 2, 3), next(Long.MAX_VALUE, 4, 5)));
    }

    @Test
    void usersDoNotConstrainEachOther() {
        var one = new Operation.Next(1, 5, 5, 1, 0, 1);
        var other = new Operation.Next(2, 5, 5, 1, 2, 3);
        var verdict = HistoryChecker.check(List.of(one, other));
        assertEquals(new Verdict(2, 2, List.of()), verdict);
    }

    @Test
    void aLastSequenceBelowWhatWasSeenNamesBoth() {
        var seen = next(5, 0, 1);
        var told = new Operation.Current(1, 4, false, 2, 3);
        assertEquals(List.of(new Violation(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, seen, told)), violations(seen, told));
    }

    @Test
    void aSequenceNotAboveAToldLastOneNamesBoth() {
        var told = new Operation.Current(1, 10_000, false, 0, 1);
        var notAbove = next(10_000, 2, 3);
        assertEquals(List.of(new Violation(Rule.NEXT_PASSES_CURRENT, told, notAbove)), violations(told, notAbove));
    }

    @Test
    void aReadingThatNothingExplainsStandsAloneAndIsNamedOnce() {
        var first = new Operation.Current(1, 5, true, 0, 1);
        var again = new Operation.Current(1, 5, true, 2, 3);
        var verdict = HistoryChecker.check(List.of(again, first));
        assertEquals(
                "2 operations of 1 users, 1 violations" + System.lineSeparator()
                        + "  EXACT_WAS_HANDED_OUT: current of user 1 in [0, 1] was 5 EXACT",
                verdict.toString());
    }

    @Test
    void callsThatBroughtNothingAreNotCountedAsJudged() {
        var lost = new Operation.Unserved(1, 0, false);
        assertEquals(new Verdict(1, 1, List.of()), HistoryChecker.check(List.of(lost, next(1, 1, 2))));
    }

    @Test
    void aVerdictShowsBothOperationsWithTheirTimesAndEpochs() {
        var verdict = HistoryChecker.check(
                List.of(new Operation.Next(7, 11, 20, 3, 0, 1), new Operation.Next(7, 5, 5, 2, 4, 8)));
        assertEquals(
                "2 operations of 1 users, 1 violations" + System.lineSeparator()
                        + "  ORDERED: next of user 7 in [0, 1] was 11 to 20 under epoch 3, "
                        + "yet next of user 7 in [4, 8] was 5 under epoch 2",
                verdict.toString());
    }

    @Test
    void whatIsNoRangeOfSequencesIsNoOperation() {
        var refusal = assertThrows(IllegalArgumentException.class, () -> next(0, 4, 5));
        assertEquals("user 1 was answered from 0 to 0, which is no range of sequences", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> next(2, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> next(1, 2, 1));
        assertThrows(IllegalArgumentException.class, () -> new Operation.Current(1, -1, true, 0, 1));
    }

    private static List<Violation> violations(Operation... history) {
        return HistoryChecker.check(List.of(history)).violations();
    }

    private static List<Rule> rules(Operation... history) {
        return violations(history).stream().map(Violation::rule).toList();
    }

    private static Operation next(long seq, long invoked, long returned) {
        return next(seq, seq, invoked, returned);
    }

    private static Operation next(long first, long last, long invoked, long returned) {
        return new Operation.Next(1, first, last, 1, invoked, returned);
    }
}
