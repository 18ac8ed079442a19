package io.seqsvr.core.alloc;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.Namespace;
import java.util.Optional;

/** What must hold of a frame as a whole, before anything is taken for it. */
public final class FrameRules {
    /** Calls of one frame at most, and segments whose epoch it names. */
    public static final int MOST_CALLS = 10_000;

    private FrameRules() {}

    /** Why the frame is refused as a whole; empty if its columns fit each other. */
    public static Optional<Answer.Refused> problem(FrameCalls calls) {
        var verb = FrameVerb.of(calls.verb());
        int users = calls.uids().size();
        if (verb.isEmpty()) {
            return malformed("verb is " + calls.verb() + "; it must be from 0 to " + (FrameVerb.values().length - 1));
        }
        if (calls.namespaceName().isEmpty()) {
            return malformed("namespace is missing; it must be given");
        }
        if (Namespace.isTooLong(calls.namespaceName())) {
            return Optional.of(Answer.Refused.namespaceUnknown(calls.namespaceName()));
        }
        if (users < 1 || users > MOST_CALLS) {
            return malformed("uids has " + users + " calls; it must have from 1 to " + MOST_CALLS);
        }
        if (calls.segments().size() != calls.leastEpochs().size()
                || calls.segments().size() > MOST_CALLS) {
            return malformed("segments has " + calls.segments().size() + " values and least_epochs "
                    + calls.leastEpochs().size() + "; both must have as many, at most " + MOST_CALLS);
        }
        return problem(calls, verb.get());
    }

    private static Optional<Answer.Refused> problem(FrameCalls calls, FrameVerb verb) {
        int users = calls.uids().size();
        int counts = calls.counts().size();
        int floors = calls.floors().size();
        if (counts != 0 && verb != FrameVerb.NEXT) {
            return malformed("counts has " + counts + " values; with " + verb + " it must be empty");
        }
        if (counts != 0 && counts != users) {
            return malformed("counts has " + counts + " values for " + users + " calls; it must have as many, or none");
        }
        if (floors != 0 && verb == FrameVerb.CURRENT) {
            return malformed("floors has " + floors + " values; with CURRENT it must be empty");
        }
        if (floors != users && (floors != 0 || verb == FrameVerb.RAISE_FLOOR)) {
            return malformed("floors has " + floors + " values for " + users + " calls; it must have as many"
                    + (verb == FrameVerb.RAISE_FLOOR ? "" : ", or none"));
        }
        return Optional.empty();
    }

    private static Optional<Answer.Refused> malformed(String message) {
        return Optional.of(new Answer.Refused(Refusal.FRAME_MALFORMED, message));
    }
}
