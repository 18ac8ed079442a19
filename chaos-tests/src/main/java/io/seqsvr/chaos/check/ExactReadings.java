package io.seqsvr.chaos.check;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Rule (E) over one user: each EXACT reading that ends no range was handed out by a call of its own that brought its
 * caller nothing. A call with a floor can have handed out any sequence above it, so what can serve a reading can serve
 * every greater one too, and to serve the smallest first, with the smallest floors, serves as many as can be served.
 */
final class ExactReadings {
    private ExactReadings() {}

    /**
     * Adds a violation for each sequence that nobody can have got, at the first reading of it that returned.
     *
     * @param floors of the calls that brought nothing, the smallest first
     */
    static void check(List<? extends Operation> ofUser, List<Long> floors, List<Violation> violations) {
        int usable = 0;
        int used = 0;
        for (Operation.Current reading : unexplained(ofUser)) {
            while (usable < floors.size() && floors.get(usable) < reading.seq()) {
                usable++;
            }
            if (used < usable) {
                used++;
            } else {
                violations.add(Violation.alone(Rule.EXACT_WAS_HANDED_OUT, reading));
            }
        }
    }

    /** One reading of each sequence above 0 that was told as EXACT and ends no range, the smallest sequence first. */
    private static Iterable<Operation.Current> unexplained(List<? extends Operation> ofUser) {
        var ends = ofUser.stream()
                .filter(Operation.Next.class::isInstance)
                .map(next -> ((Operation.Next) next).last())
                .collect(Collectors.toSet());
        var readings = new TreeMap<Long, Operation.Current>();
        ofUser.stream()
                .filter(Operation.Current.class::isInstance)
                .map(Operation.Current.class::cast)
                .filter(current -> current.exact() && current.seq() > 0 && !ends.contains(current.seq()))
                .sorted(Comparator.comparingLong(Operation::returned))
                .forEach(current -> readings.putIfAbsent(current.seq(), current));
        return readings.values();
    }
}
