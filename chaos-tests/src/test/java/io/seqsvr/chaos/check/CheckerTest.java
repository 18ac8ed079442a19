package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The checkers against definitions that are slow and plain. */
final class CheckerTest {
    private static final Seed SEED = Seed.announcedFor(CheckerTest.class);
    private static final int HISTORIES = 1_000_000;

    @Test
    void theTheoremAgreesWithTryingEveryOrder() {
        var random = SEED.random();
        int right = 0;
        for (int i = 0; i < HISTORIES; i++) {
            var history = RandomHistory.of(random);
            boolean linearizable = BruteForce.linearizable(history);
            assertEquals(linearizable, HistoryChecker.check(history.answered()).holds(), () -> SEED.after(history));
            right += linearizable ? 1 : 0;
        }
        assertTrue(
                right > HISTORIES / 5 && right < HISTORIES * 4 / 5,
                right + " of " + HISTORIES + " histories are right: too one-sided to tell checkers apart");
    }

    @Test
    void everyRuleAgreesWithLookingAtAllPairs() {
        var random = SEED.random();
        var seen = EnumSet.noneOf(Rule.class);
        for (int i = 0; i < HISTORIES / 5; i++) {
            var history = withCurrents(random);
            var found = HistoryChecker.check(history).violations();
            assertEquals(offenders(history), offenders(found), () -> SEED.after(history));
            for (var violation : found) {
                assertTrue(
                        breaks(violation.rule(), violation.witness(), violation.offender()),
                        () -> SEED.after(violation));
                seen.add(violation.rule());
            }
        }
        assertEquals(EnumSet.allOf(Rule.class), seen);
    }

    @Test
    void theOnlineCheckerAccusesExactlyTheHistoriesThatTheOfflineOneDoes() {
        var random = SEED.random();
        int right = 0;
        for (int i = 0; i < HISTORIES / 5; i++) {
            var history = Replay.withoutTies(RandomHistory.of(random));
            boolean holds = HistoryChecker.check(history.answered()).holds();
            assertEquals(holds, Replay.online(history).isEmpty(), () -> SEED.after(history));
            right += holds ? 1 : 0;
        }
        assertTrue(right > HISTORIES / 25 && right < HISTORIES * 4 / 25, right + " right histories: too one-sided");
    }

    private record Offence(Rule rule, Operation offender) {}

    private static Set<Offence> offenders(List<Operation> history) {
        var offences = new HashSet<Offence>();
        for (int a = 0; a < history.size(); a++) {
            for (int b = 0; b < history.size(); b++) {
                for (Rule rule : Rule.values()) {
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
        var handedOut = witness instanceof Operation.Next next ? next : null;
        var told = witness instanceof Operation.Current current ? current : null;
        return switch (rule) {
            case UNIQUE ->
                handedOut != null
                        && offender instanceof Operation.Next next
                        && handedOut.first() <= next.first()
                        && handedOut.last() >= next.first();
            case ORDERED ->
                before
                        && handedOut != null
                        && offender instanceof Operation.Next next
                        && next.first() <= handedOut.last();
            case CURRENT_COVERS_WHAT_WAS_SEEN ->
                before
                        && handedOut != null
                        && offender instanceof Operation.Current current
                        && current.seq() < handedOut.last();
            case NEXT_PASSES_CURRENT ->
                before && told != null && offender instanceof Operation.Next next && next.first() <= told.seq();
        };
    }

    /** Distinct firsts within a history, so that "the one with the smaller first" names the offender of UNIQUE. */
    private static List<Operation> withCurrents(SplittableRandom random) {
        var firsts = new HashSet<Long>();
        var operations = new ArrayList<Operation>();
        for (Operation.Next next : RandomHistory.of(random).answered()) {
            if (random.nextInt(3) == 0 || !firsts.add(next.first())) {
                operations.add(new Operation.Current(
                        next.uid(), next.last(), random.nextBoolean(), next.invoked(), next.returned()));
            } else {
                operations.add(next);
            }
        }
        return operations;
    }
}
