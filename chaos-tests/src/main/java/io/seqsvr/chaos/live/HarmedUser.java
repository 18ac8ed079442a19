package io.seqsvr.chaos.live;

import java.time.Duration;
import java.util.Locale;

/**
 * A user whom a fault was not to touch, and some of whose calls failed all the same: what helps to find out why.
 *
 * @param uid the user
 * @param failed how many of its calls were refused or without an answer
 * @param refused how many of these were refused
 * @param first when the first of these ended, since users began to be watched
 * @param last when the last of these ended
 * @param epochBefore of the last sequence that it got before; 0 if it got none
 * @param epochAfter of the last sequence that it has got since the first of them failed; 0 if it got none
 */
public record HarmedUser(
        long uid, long failed, long refused, Duration first, Duration last, long epochBefore, long epochAfter) {
    private static final double MILLIS_OF_SECOND = 1e3;

    /** Whether another owner served it afterwards: then it was handed over meanwhile. */
    public boolean changedItsOwner() {
        return epochBefore > 0 && epochAfter > epochBefore;
    }

    /** For people. */
    public String words() {
        var words = String.format(
                Locale.ROOT,
                "%s of user %s, %,d refused, %.1f to %.1f s after it began",
                failed == 1 ? "a call" : String.format(Locale.ROOT, "%,d calls", failed),
                Long.toUnsignedString(uid),
                refused,
                first.toMillis() / MILLIS_OF_SECOND,
                last.toMillis() / MILLIS_OF_SECOND);
        if (changedItsOwner()) {
            return words + ", whose owner changed (epoch " + epochBefore + ", then " + epochAfter + ")";
        }
        return epochAfter > 0 ? words + ", whose owner stayed (epoch " + epochAfter + ")" : words;
    }
}
