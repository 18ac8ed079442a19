package io.seqsvr.core.frame;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What all calls of one frame want. */
public enum FrameVerb {
    /** Sequences of each user. */
    NEXT(0),
    /** Each user's last sequence. */
    CURRENT(1),
    /** Each user lifted, so that its later sequences are above a floor. */
    RAISE_FLOOR(2);

    private static final List<Optional<FrameVerb>> BY_NUMBER =
            Arrays.stream(values()).map(Optional::of).toList();

    private final int number;

    FrameVerb(int number) {
        this.number = number;
    }

    /** Its number in a frame. */
    public int number() {
        return number;
    }

    /** The verb of that number, none if there is no such verb. */
    public static Optional<FrameVerb> of(int number) {
        return number >= 0 && number < BY_NUMBER.size() ? BY_NUMBER.get(number) : Optional.empty();
    }
}
