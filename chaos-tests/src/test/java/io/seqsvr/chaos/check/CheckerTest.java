package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The checkers against definitions that are slow and plain. */
final class CheckerTest {
    private static final Seed SEED = Seed.announcedFor(CheckerTest.class);
    private static final int HISTORIES = 1_000_000;
    /** Those that compare two operations of one user. */
    private static final Set<Rule> OF_PAIRS =
            EnumSet.complementOf(EnumSet.of(Rule.EXACT_WAS_HANDED_OUT, Rule.ANSWERS_WHO_ASKED));

    /** Of each rule: how many histories broke it, and how many broke no other. */
    private final Map<Rule, Integer> broken = new EnumMap<>(Rule.class);

    private final Map<Rule, Integer> brokenAlone = new EnumMap<>(Rule.class);
    private int right;
    private int rightByUnserved;

    @Test
    void theTheoremAgreesWithTryingEveryOrder() {
        var random = SEED.random();
        for (int i = 0; i < HISTORIES; i++) {
            var history = RandomHistory.of(random);
            boolean linearizable = BruteForce.linearizable(history);
            var verdict = HistoryChecker.check(history);
            assertEquals(linearizable, verdict.holds(), () -> SEED.after(history));
            count(verdict, history);
        }
        assertShare(right, 25, 75);
        assertShare(rightByUnserved, 1, 75);
        for (Rule rule : EnumSet.complementOf(EnumSet.of(Rule.ANSWERS_WHO_ASKED))) {
            assertShare(broken.getOrDefault(rule, 0), 3, 75);
            assertShare(brokenAlone.getOrDefault(rule, 0), 1, 75);
        }
    }

    @Test
    void everyRuleOfPairsAgreesWithLookingAtAllPairs() {
        var random = SEED.random();
        var seen = EnumSet.noneOf(Rule.class);
        for (int i = 0; i < HISTORIES / 5; i++) {
            var history = withDistinctFirsts(RandomHistory.of(random));
            var found = HistoryChecker.check(history).violations().stream()
                    .filter(violation -> OF_PAIRS.contains(violation.rule()))
                    .toList();
            assertEquals(offenders(history), offenders(found), () -> SEED.after(history));
            for (var violation : found) {
                assertTrue(
                        breaks(violation.rule(), violation.witness().orElseThrow(), violation.offender()),
                        () -> SEED.after(violation));
                seen.add(violation.rule());
            }
        }
        assertEquals(OF_PAIRS, seen);
    }

    @Test
    void theOnlineCheckerAccusesExactlyTheHistoriesThatTheOfflineOneDoes() {
        var random = SEED.random();
        for (int i = 0; i < HISTORIES / 2; i++) {
            var history = Replay.withoutTies(RandomHistory.of(random));
            var verdict = HistoryChecker.check(history);
            var user = new OnlineUser(1, OnlineChecker.LIMIT);
            assertEquals(verdict.holds(), Replay.on(user, history).isEmpty(), () -> SEED.after(history));
            assertEquals(0, user.unjudged(), () -> SEED.after(history));
            assertTrue(!verdict.holds() || user.remembered() <= 1, () -> SEED.after(history));
            count(verdict, history);
        }
        assertTrue(right > HISTORIES / 10 && right < HISTORIES * 2 / 5, right + " right histories: too one-sided");
    }

    @Test
    void anOnlineCheckerThatHadToForgetNeverAccusesARightHistoryAndSaysWhenItMayMissAWrongOne() {
        var random = SEED.random();
        int missed = 0;
        for (int i = 0; i < HISTORIES / 2; i++) {
            var history = Replay.withoutTies(RandomHistory.of(random));
            boolean holds = HistoryChecker.check(history).holds();
            var user = new OnlineUser(1, 1);
            boolean accused = !Replay.on(user, history).isEmpty();
            assertTrue(!(holds && accused), () -> SEED.after(history));
            assertTrue(holds || accused || user.unjudged() > 0, () -> SEED.after(history));
            missed += holds || accused ? 0 : 1;
        }
        assertTrue(missed > 0, "nothing had to be forgotten");
    }

    private void count(Verdict verdict, List<Operation> history) {
        var rules = verdict.violations().stream().map(Violation::rule).collect(Collectors.toSet());
        rules.forEach(rule -> broken.merge(rule, 1, Integer::sum));
        if (rules.size() == 1) {
            rules.forEach(rule -> brokenAlone.merge(rule, 1, Integer::sum));
        }
        right += verdict.holds() ? 1 : 0;
        rightByUnserved += verdict.holds() && !holdsWithoutUnserved(history) ? 1 : 0;
    }

    private static boolean holdsWithoutUnserved(List<Operation> history) {
        if (history.stream().noneMatch(Operation.Unserved.class::isInstance)) {
            return true;
        }
        return HistoryChecker.check(history.stream()
                        .filter(Operation.Answered.class::isInstance)
                        .toList())
                .holds();
    }

    private void assertShare(int count, int fromPercent, int toPercent) {
        assertTrue(
                count >= HISTORIES / 100 * fromPercent && count <= HISTORIES / 100 * toPercent,
                () -> shares() + ": too one-sided to tell checkers apart");
    }

    private String shares() {
        return "of " + HISTORIES + " histories " + right + " are right, " + rightByUnserved
                + " of them only as some calls brought nothing; rules were broken " + broken + ", and no other "
                + brokenAlone;
    }

    private record Offence(Rule rule, Operation offender) {}

    private static Set<Offence> offenders(List<Operation> history) {
        var offences = new HashSet<Offence>();
        for (int a = 0; a < history.size(); a++) {
            for (int b = 0; b < history.size(); b++) {
                for (Rule rule : OF_PAIRS) {
                    if (a != b && breaks(rule, history.get(a), history.get(b))) {
                        offences.add(new Offence(rule, history.get(b)));
                    }
                }
            }
        }
        return offences;
    }

    private static Set<Offence> offenders(Iterable<Violation> violations) {
        var offences = new HashSet<Offence>();
        violations.forEach(found -> offences.add(new Offence(found.rule(), found.offender())));
        return offences;
    }

    private static boolean breaks(Rule rule, Operation witness, Operation offender) {
        boolean before = witness.returned() < offender.invoked();
        if (witness instanceof Operation.Next one && offender instanceof Operation.Next other) {
            return switch (rule) {
                case UNIQUE -> one.first() <= other.first() && one.last() >= other.first();
                case ORDERED -> before && other.first() <= one.last();
                default -> false;
            };
        }
        if (witness instanceof Operation.Next one && offender instanceof Operation.Current reading) {
            return switch (rule) {
                case CURRENT_COVERS_WHAT_WAS_SEEN -> before && reading.seq() < one.last();
                case CURRENT_SPLITS_NO_RANGE -> one.first() <= reading.seq() && reading.seq() < one.last();
                default -> false;
            };
        }
        if (witness instanceof Operation.Current reading && offender instanceof Operation.Next other) {
            return rule == Rule.NEXT_PASSES_CURRENT && before && other.first() <= reading.seq();
        }
        if (witness instanceof Operation.Current reading && offender instanceof Operation.Current later) {
            return rule == Rule.CURRENT_NEVER_GOES_BACK && before && later.seq() < reading.seq();
        }
        return false;
    }

    /** So that "the one with the smaller first" names the offender of UNIQUE. */
    private static List<Operation> withDistinctFirsts(List<Operation> history) {
        var firsts = new HashSet<Long>();
        return history.stream()
                .filter(operation -> !(operation instanceof Operation.Next next) || firsts.add(next.first()))
                .toList();
    }
}
