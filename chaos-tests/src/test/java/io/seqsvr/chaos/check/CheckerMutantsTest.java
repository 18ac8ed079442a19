package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Histories with a known verdict, each of which one careless checker judges wrongly: the story is named after the
 * mistake. The online checker is asked too.
 */
final class CheckerMutantsTest {
    /** {@code returned <= invoked} in (R) accuses two calls of which one began at the tick at which the other ended. */
    @Test
    void timesThatAreEqualTakenForBefore() {
        right(next(2, 0, 1), next(1, 1, 2));
        right(next(2, 1, 1), next(1, 1, 1));
        wrong(Set.of(Rule.ORDERED), next(2, 1, 1), next(1, 2, 2));
        right(told(5, 0, 1), told(4, 1, 2));
    }

    /** {@code first < floor} in (R) lets pass the very sequence that was told as the last one. */
    @Test
    void theFloorItselfTakenForAboveTheFloor() {
        wrong(Set.of(Rule.NEXT_PASSES_CURRENT), told(5, 0, 1), next(5, 2, 3));
        wrong(Set.of(Rule.UNIQUE, Rule.ORDERED), next(5, 0, 1), next(5, 2, 3));
    }

    /** {@code seq <= floor} accuses a reading of what was handed out last. */
    @Test
    void theFloorItselfTakenForBelowTheFloor() {
        right(next(5, 0, 1), exact(5, 2, 3), exact(5, 4, 5), told(5, 6, 7));
    }

    /** A checker that looks at one user only misses what happens to the others. */
    @Test
    void usersDropped() {
        for (long wrongOne = 1; wrongOne <= 3; wrongOne++) {
            var history = new ArrayList<Operation>();
            for (long uid = 1; uid <= 3; uid++) {
                history.add(new Operation.Next(uid, 5, 5, 1, 0, 1));
                history.add(new Operation.Next(uid, uid == wrongOne ? 4 : 6, uid == wrongOne ? 4 : 6, 1, 2, 3));
            }
            assertEquals(1, HistoryChecker.check(history).violations().size());
        }
    }

    /** A checker with one floor for all users accuses the second user of the same sequences. */
    @Test
    void usersMixedUp() {
        var history = List.of(new Operation.Next(1, 5, 5, 1, 0, 1), new Operation.Next(2, 5, 5, 1, 2, 3));
        assertTrue(HistoryChecker.check(history).holds());
    }

    /** A caller that throws away what comes after its timeout misses a sequence that was handed out twice. */
    @Test
    void lateRepliesIgnored() {
        var history = new History();
        var timedOut = history.invoke(1);
        timedOut.unknown("no answer came");
        history.invoke(1).returned(5, 5, 1);
        timedOut.returned(5, 5, 1);
        assertEquals(Set.of(Rule.UNIQUE), rules(history.operations()));

        var checker = new OnlineChecker();
        long floorOfTimedOut = checker.begin(1);
        checker.end(1, checker.begin(1), 5, 5);
        assertEquals(
                Rule.UNIQUE, checker.end(1, floorOfTimedOut, 5, 5).orElseThrow().rule());
    }

    /** What a late reply brought counts for those who ask after it. */
    @Test
    void lateRepliesWithoutEffectOnTheFloor() {
        var history = new History();
        var timedOut = history.invoke(1);
        timedOut.unknown("no answer came");
        history.invoke(1).returned(5, 5, 1);
        timedOut.returned(9, 9, 2);
        history.invoke(1).returned(6, 6, 1);
        assertEquals(Set.of(Rule.ORDERED), rules(history.operations()));
    }

    /** A floor taken when the reply comes accuses calls that were under way together. */
    @Test
    void theFloorTakenAtTheReply() {
        right(next(9, 1, 2), next(8, 1, 3));
        right(told(9, 1, 2), exact(8, 1, 3), next(8, 0, 4));
    }

    /** A floor taken from the newest reply forgets a greater one. */
    @Test
    void theFloorOfTheLatestReply() {
        wrong(Set.of(Rule.ORDERED), next(10_001, 0, 1), next(5, 0, 2), next(6, 3, 4));
    }

    /** A floor taken from the first sequences of ranges lets pass what lies inside one. */
    @Test
    void theFloorOfTheFirstOfARange() {
        wrong(Set.of(Rule.ORDERED, Rule.UNIQUE), next(10, 19, 0, 1), next(15, 25, 2, 3));
        wrong(Set.of(Rule.ORDERED), next(10, 19, 0, 1), next(5, 9, 2, 3));
        right(next(10, 19, 0, 1), next(20, 29, 2, 3));
    }

    /** A checker that compares each reply with the one before it alone misses a duplicate with another in between. */
    @Test
    void duplicatesLookedForAmongNeighboursInTime() {
        wrong(Set.of(Rule.UNIQUE), next(7, 0, 1), next(8, 0, 3), next(9, 0, 4), next(7, 0, 5));
    }

    /** A checker that keeps the first sequences in a set misses ranges that overlap. */
    @Test
    void duplicatesLookedForAmongFirstSequencesOnly() {
        wrong(Set.of(Rule.UNIQUE), next(1, 5, 0, 9), next(5, 9, 0, 9));
        right(next(1, 4, 0, 9), next(5, 9, 0, 9));
    }

    /** A checker that looks at ranges alone lets a reading go below what was seen. */
    @Test
    void exactReadingsIgnored() {
        wrong(Set.of(Rule.CURRENT_COVERS_WHAT_WAS_SEEN), next(3, 0, 9), next(5, 0, 1), exact(3, 2, 3));
        wrong(Set.of(Rule.NEXT_PASSES_CURRENT), next(5, 0, 9), exact(5, 0, 1), next(4, 2, 3));
        wrong(Set.of(Rule.EXACT_WAS_HANDED_OUT), exact(5, 0, 1));
    }

    /** A promise that nothing lower will come is one, whether a sequence was handed out there or not. */
    @Test
    void upperBoundsIgnored() {
        wrong(Set.of(Rule.CURRENT_COVERS_WHAT_WAS_SEEN), next(5, 0, 1), told(4, 2, 3));
        wrong(Set.of(Rule.NEXT_PASSES_CURRENT), told(10_000, 0, 1), next(10_000, 2, 3));
        right(told(10_000, 0, 1), next(10_001, 2, 3));
    }

    /** Readings compared with ranges alone may go back while those who got the ranges still wait for their replies. */
    @Test
    void readingsNotComparedWithEachOther() {
        wrong(Set.of(Rule.CURRENT_NEVER_GOES_BACK), next(4, 0, 9), next(5, 0, 9), exact(5, 1, 2), exact(4, 3, 4));
        wrong(Set.of(Rule.CURRENT_NEVER_GOES_BACK), told(5, 1, 2), told(4, 3, 4));
    }

    /** A reading compared with the ends of ranges alone may tell a sequence that was never the last one. */
    @Test
    void readingsInsideOfRanges() {
        wrong(Set.of(Rule.CURRENT_SPLITS_NO_RANGE), next(1, 5, 0, 9), told(3, 0, 9));
        wrong(Set.of(Rule.CURRENT_SPLITS_NO_RANGE), next(1, 5, 0, 9), told(1, 0, 8));
        right(next(2, 5, 0, 9), told(1, 0, 9));
        right(next(1, 5, 0, 9), told(5, 0, 8));
    }

    /** A checker that holds a lost reply for a call without effect accuses a right reading. */
    @Test
    void unknownOutcomesTakenForFailed() {
        right(lost(0), exact(5, 1, 2));
        right(lost(0), next(7, 1, 2), exact(9, 3, 4), next(10, 5, 6));
        right(lost(4), exact(5, 1, 4));
    }

    /** A checker that gives up on EXACT readings once a reply was lost misses those that no lost call explains. */
    @Test
    void unknownOutcomesTakenForAnExcuseOfEverything() {
        wrong(Set.of(Rule.EXACT_WAS_HANDED_OUT), lost(0), exact(5, 1, 2), exact(6, 3, 4));
        right(lost(0), exact(5, 1, 2), exact(5, 3, 4));
        wrong(Set.of(Rule.EXACT_WAS_HANDED_OUT), exact(5, 1, 2), lost(3));
        wrong(Set.of(Rule.EXACT_WAS_HANDED_OUT), next(9, 0, 1), next(2, 0, 9), exact(5, 0, 4), lost(2));
        wrong(Set.of(Rule.EXACT_WAS_HANDED_OUT), lost(0), lost(3), exact(5, 1, 2), exact(4, 1, 2), exact(7, 4, 5));
    }

    /** A checker that reads the numbers alone takes another user's reply for one that grows. */
    @Test
    void repliesToOthersTakenForOwn() {
        var history = new History();
        history.invoke(1).returned(1, 1, 1);
        history.invoke(1).returned(2, 7, 7, 1);
        history.invoke(1).told(2, 8, false);
        var violations = HistoryChecker.check(history.operations()).violations();
        assertEquals(
                List.of(Rule.ANSWERS_WHO_ASKED, Rule.ANSWERS_WHO_ASKED),
                violations.stream().map(Violation::rule).toList());
        assertEquals(
                "ANSWERS_WHO_ASKED: next of user 1 in [3, 4] was 7 under epoch 1 for user 2",
                violations.get(0).toString());
    }

    private static void right(Operation... history) {
        assertEquals(Set.of(), rules(List.of(history)));
        assertEquals(List.of(), online(history));
    }

    private static void wrong(Set<Rule> broken, Operation... history) {
        assertEquals(broken, rules(List.of(history)));
        assertTrue(!online(history).isEmpty(), "the online checker found nothing");
    }

    private static List<Breach> online(Operation... history) {
        return Replay.on(new OnlineUser(1, OnlineChecker.LIMIT), Replay.withoutTies(List.of(history)));
    }

    private static Set<Rule> rules(List<Operation> history) {
        var rules = HistoryChecker.check(history).violations().stream().map(Violation::rule);
        return rules.collect(Collectors.toSet());
    }

    private static Operation next(long seq, long invoked, long returned) {
        return next(seq, seq, invoked, returned);
    }

    private static Operation next(long first, long last, long invoked, long returned) {
        return new Operation.Next(1, first, last, 1, invoked, returned);
    }

    private static Operation exact(long seq, long invoked, long returned) {
        return new Operation.Current(1, seq, true, invoked, returned);
    }

    private static Operation told(long bound, long invoked, long returned) {
        return new Operation.Current(1, bound, false, invoked, returned);
    }

    private static Operation lost(long invoked) {
        return new Operation.Unserved(1, invoked, false);
    }
}
