package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The offline judge of one namespace's history; exact, and O(n log n) in the number of operations.
 *
 * <p>The object it judges against: per user a state s and the last sequence handed out h, both at first 0. next(k)
 * answers with some range of k neighbouring sequences above s; its last becomes s and h. Gaps are allowed, so the range
 * need not follow s at once. A reading answers "UPPER_BOUND r" with some r not below s, and r becomes s: nothing up to
 * r will be handed out any more. It answers "EXACT r" if r = s = h.
 *
 * <p>A call that brought its caller nothing may have taken effect, at any time after it was invoked, or never; with
 * whatever range. That goes for a call without a reply and for a refused one: a refusal may have used a sequence up.
 *
 * <p>Let p be the last sequence of a range and the sequence of a reading, and let the floor of a call be the greatest p
 * of all operations that returned before it was invoked.
 *
 * <p><b>Theorem.</b> The operations of one user are linearizable if and only if
 *
 * <ul>
 *   <li>(U) their ranges are pairwise disjoint, and no reading r has first &lt;= r &lt; last of a range;
 *   <li>(R) for all A and B: returned(A) &lt; invoked(B) implies p(A) &lt; first(B) for a range B, and p(A) &lt;= p(B)
 *       for a reading B, whether EXACT or UPPER_BOUND; and
 *   <li>(E) of the EXACT readings above 0 that are no range's last, with the values r1 &lt; r2 &lt; ..., there are for
 *       each ri at least i calls that brought nothing and whose floor is below ri.
 * </ul>
 *
 * <p><i>Only if:</i> s never falls and passes over all of a range but its last at once, which is (U); A stands before B
 * where A returned before B was invoked, which is (R). Each ri was left behind by a call that brought nothing, each by
 * another one. All that returned before that call was invoked stands before it, so its floor is below its range, thus
 * below ri: the calls of r1 to ri are i calls with floors below ri, which is (E).
 *
 * <p><i>If:</i> give r1, r2, ... in turn one of those calls whose floor is below; by (E) one is left each time. Say
 * that it handed out ri alone, and that the others had no effect. Order all by p, at equal p the range before the
 * readings, and these by their invocation. By (U) each range lies above all p before it, and s = r = h at each EXACT
 * reading, so this is a legal run of the object. Let A have returned before B was invoked. If both were answered, p(A)
 * &lt;= p(B) by (R), with equality only where B is a reading, which stands after a range A, and after a reading A that
 * was invoked before it. If B brought nothing, p(A) is at most its floor, thus below its ri; and an A that brought
 * nothing never returned. So the order keeps real time, and is a linearization.
 *
 * <p>That readings never fall (the half of (R) about two of them) does not follow from the rest: a reading may see the
 * range of a call that is still under way, and a later one miss it. Users are objects of their own, and linearizability
 * is local, so to judge each user alone is to judge the service. Equal times count as concurrent: (R) asks for strictly
 * less. {@link Rule#ANSWERS_WHO_ASKED} stands outside of the theorem: a reply that was meant for another user can bear
 * a number that grows.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @param operations of one namespace, in any order; all those of a user since its first. If calls that brought
     *     nothing are missing, an EXACT reading of what they used up is taken for wrong.
     */
    public static Verdict check(List<? extends Operation> operations) {
        var byUser = operations.stream().collect(Collectors.groupingBy(Operation::uid));
        var violations = new ArrayList<Violation>();
        for (List<? extends Operation> ofUser : byUser.values()) {
            Uniqueness.check(ofUser, violations);
            var floors = RealTime.check(ofUser, violations);
            ExactReadings.check(ofUser, floors, violations);
            checkEchoes(ofUser, violations);
        }
        long answered =
                operations.stream().filter(Operation.Answered.class::isInstance).count();
        return new Verdict(answered, byUser.size(), violations);
    }

    private static void checkEchoes(List<? extends Operation> ofUser, List<Violation> violations) {
        for (Operation operation : ofUser) {
            if (operation instanceof Operation.Answered answer && answer.echoed() != answer.uid()) {
                violations.add(Violation.alone(Rule.ANSWERS_WHO_ASKED, answer));
            }
        }
    }
}
