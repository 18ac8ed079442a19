package io.seqsvr.client;

import io.seqsvr.client.SequenceException.Kind;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.front.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How calls that delivered nothing look to callers: each message names namespace, user and value. */
final class Errors {
    /** After overload: by then as many calls as may be open may have ended. */
    private static final Duration OVERLOAD_PAUSE = Duration.ofMillis(10);

    private Errors() {}

    static SequenceException refused(Call call, Answer.Refused refused) {
        var refusal = refused.refusal();
        return new SequenceException(
                kind(refusal),
                refusal.name(),
                name(call) + ": " + refused.message(),
                refusal == Refusal.TOO_MANY_WAITING ? Optional.of(OVERLOAD_PAUSE) : Optional.empty());
    }

    private static Kind kind(Refusal refusal) {
        if (refusal.passes() || refusal == Refusal.TOO_MANY_WAITING || refusal == Refusal.TOO_MANY_USERS) {
            return Kind.UNAVAILABLE;
        }
        return refusal == Refusal.SEQUENCE_EXHAUSTED ? Kind.EXHAUSTED : Kind.INVALID;
    }

    static SequenceException unknown(Call call, long timeoutNanos, String why) {
        return new SequenceException(
                Kind.UNKNOWN_OUTCOME,
                "DEADLINE_PASSED",
                name(call) + ": no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms; what was heard last: " + why,
                Optional.empty());
    }

    static SequenceException defect(Call call, Answer answer) {
        return new SequenceException(
                Kind.UNKNOWN_OUTCOME, "INTERNAL_DEFECT", name(call) + ": answered with " + answer, Optional.empty());
    }

    private static String name(Call call) {
        var user = " of user " + Long.toUnsignedString(call.uid()) + " in namespace '" + call.namespaceName() + "'";
        if (call instanceof Call.Next next) {
            return "next" + user + ", count " + next.count()
                    + (next.atLeast() == 0 ? "" : ", at least " + Long.toUnsignedString(next.atLeast()));
        }
        return call instanceof Call.RaiseFloor lift
                ? "raiseFloor" + user + " to " + Long.toUnsignedString(lift.floor())
                : "current" + user;
    }
}
