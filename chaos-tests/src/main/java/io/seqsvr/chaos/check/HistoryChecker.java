package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The offline judge of one namespace's history; exact, and O(n log n) in the number of operations.
 *
 * <p>The object it judges against: per user a state s, at first 0; next(k) answers with some range of k neighbouring
 * sequences above s, and its last becomes s. Gaps are allowed, so the range need not follow s at once.
 *
 * <p><b>Theorem.</b> The completed next operations of one user, with ranges [first, last], are linearizable if and only
 * if
 *
 * <ul>
 *   <li>(U) their ranges are pairwise disjoint, and
 *   <li>(R) for all A and B: returned(A) &lt; invoked(B) implies last(A) &lt; first(B).
 * </ul>
 *
 * <p><i>Only if:</i> in a linearization every range lies above all earlier ones, which is (U); and A stands before B
 * where A returned before B was invoked, which is (R). <i>If:</i> order the operations by first. By (U) each range lies
 * above all before it, so this is a legal run of the object. By (R) it puts A before B wherever A returned before B was
 * invoked, so it keeps real time. Hence it is a linearization. Users are objects of their own, and linearizability is
 * local, so to judge each user alone is to judge the service.
 *
 * <p>Equal times count as concurrent: (R) asks for strictly less. An operation of unknown outcome returned never: it
 * precedes nobody, and whatever it took is a gap to the others, which the object allows. To drop it is therefore exact,
 * and so it is for a refusal, which has no range.
 *
 * <p>A current operation obeys the two rules of {@link Rule} about it, whether EXACT or UPPER_BOUND. They never accuse
 * a right history; unlike (U) and (R) they are not all that a linearization would ask.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @param operations of one namespace, in any order; all those of a user that were answered since its first
     */
    public static Verdict check(List<? extends Operation> operations) {
        var byUser = operations.stream().collect(Collectors.groupingBy(Operation::uid));
        var violations = new ArrayList<Violation>();
        for (List<? extends Operation> ofUser : byUser.values()) {
            Uniqueness.check(ofUser, violations);
            RealTime.check(ofUser, violations);
        }
        return new Verdict(operations.size(), byUser.size(), violations);
    }
}
