package io.seqsvr.chaos.live;

import java.time.Duration;
import java.util.Locale;

/**
 * A user whom a fault was not to touch, and some of whose calls failed all the same: what helps to find out why.
 *
 * @param uid the user
 * @param failures how its calls failed
 * @param first when the first of these ended, since users began to be watched
 * @param last when the last of these ended
 * @param epochs under whom it was served before the first of them failed, and since
 */
public record HarmedUser(long uid, Failures failures, Duration first, Duration last, Epochs epochs) {
    private static final double MILLIS_OF_SECOND = 1e3;

    /** For people. */
    public String words() {
        return String.format(
                Locale.ROOT,
                "%s, %.1f to %.1f s after it began%s%s",
                failures.words(uid),
                first.toMillis() / MILLIS_OF_SECOND,
                last.toMillis() / MILLIS_OF_SECOND,
                epochs.ending(),
                failures.ending());
    }
}
