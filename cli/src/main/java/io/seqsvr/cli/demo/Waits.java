package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.Silences;
import io.seqsvr.chaos.report.RoundVerdict;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What is said of waits that lasted for too long. */
final class Waits {
    private Waits() {}

    /**
     * That of one cause, if one of them did: a miss where the cluster is to blame, nothing proven where whoever asks
     * stood still meanwhile.
     */
    static Optional<Finding> tooLong(Silences.Sum waits, Duration bound, String cause) {
        if (millis(waits.worst().blamedNanos()) > bound.toMillis()) {
            return Optional.of(new Finding(
                    RoundVerdict.MISSED,
                    say(
                            "a user waited %,d ms; at most %,d ms were allowed: %s: %s",
                            millis(waits.worst().nanos()),
                            bound.toMillis(),
                            cause,
                            waits.worst().words())));
        }
        var longest = waits.longest();
        return millis(longest.nanos()) <= bound.toMillis()
                ? Optional.empty()
                : Optional.of(new Finding(
                        RoundVerdict.VOID,
                        say(
                                "a user waited %,d ms, of which this program itself stood still for %,d ms: what the"
                                        + " cluster did could not have shown: %s",
                                millis(longest.nanos()), millis(longest.pausedNanos()), cause)));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
