package io.seqsvr.proto.codec;

import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.proto.v1.ErrorReason;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why some calls of a frame, or all, got nothing, as it travels.
 *
 * @param reasonNumber number of an {@link ErrorReason}, or of one that only newer peers know
 * @param message a sentence about the first of these calls
 * @param retryDelayMillis after how long to try again, as unsigned; 0 where waiting does not help
 * @param places of the calls, from 0, as the sender put them; empty: all calls of the frame
 */
public record FrameRefusal(int reasonNumber, String message, int retryDelayMillis, IntColumn places) {
    private static final Map<String, Refusal> REFUSALS =
            Arrays.stream(Refusal.values()).collect(Collectors.toMap(Refusal::name, refusal -> refusal));

    /** Its reason; unspecified if it is none that is known here. */
    public ErrorReason reason() {
        var known = ErrorReason.forNumber(reasonNumber);
        return known == null ? ErrorReason.ERROR_REASON_UNSPECIFIED : known;
    }

    /** Its reason as the rules call it; nothing if they have no word for it. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(REFUSALS.get(reason().name()));
    }
}
