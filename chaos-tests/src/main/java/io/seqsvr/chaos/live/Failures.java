package io.seqsvr.chaos.live;

import java.util.Locale;

/**
 * How calls of one user failed.
 *
 * @param calls how many did
 * @param refused how many of these were refused; the others had no answer
 * @param lastSaid what was said of the last of them; empty if none failed
 */
public record Failures(long calls, long refused, String lastSaid) {
    /** None did. */
    public static final Failures NONE = new Failures(0, 0, "");

    Failures plusRefused(String said) {
        return new Failures(calls + 1, refused + 1, said);
    }

    Failures plusUnanswered(String said) {
        return new Failures(calls + 1, refused, said);
    }

    /** For people: "3 calls of user 7, 1 refused", or just the user. */
    String words(long uid) {
        var user = "user " + Long.toUnsignedString(uid);
        return switch ((int) Math.min(calls, 2)) {
            case 0 -> user;
            case 1 -> String.format(Locale.ROOT, "a call of %s, %,d refused", user, refused);
            default -> String.format(Locale.ROOT, "%,d calls of %s, %,d refused", calls, user, refused);
        };
    }

    /** For people, after the rest: the last words, if there are any. */
    String ending() {
        return lastSaid.isEmpty() ? "" : "; at last: " + lastSaid;
    }
}
