package io.seqsvr.core.alloc;

/** Why a request got no sequence. */
public enum Refusal {
    /** No namespace of that name. */
    NAMESPACE_UNKNOWN,
    /** The uid is not below the namespace's capacity. */
    UID_OUT_OF_RANGE,
    /** The columns of a frame do not fit each other, or its verb is unknown. */
    FRAME_MALFORMED,
    /** The count is below 1 or above the namespace's bound. */
    COUNT_OUT_OF_BOUNDS,
    /** A lift of the user goes further above max_seq than the namespace's max_jump. */
    JUMP_OUT_OF_BOUNDS,
    /** The user's sequences would pass the namespace's max_sequence. */
    SEQUENCE_EXHAUSTED,
    /** The allocator does not own the user's segment, or lost it before the answer could leave. */
    NOT_OWNER,
    /** The lease was not valid when the numbers had been taken. */
    LEASE_EXPIRED,
    /** No session yet, the segment's exact counters are still on their way, or stopping. */
    NOT_READY,
    /** The queue of requests that wait for a raise is full. */
    TOO_MANY_WAITING,
    /** The user has no counter here yet, and no memory is left for one. */
    TOO_MANY_USERS,
    /** The call still waited when the time of its caller was over. It may have used numbers. */
    DEADLINE_PASSED;

    /** Whether the same call may get an answer a little later, here or from another owner, without anybody's doing. */
    public boolean passes() {
        return switch (this) {
            case NOT_OWNER, LEASE_EXPIRED, NOT_READY, DEADLINE_PASSED -> true;
            case NAMESPACE_UNKNOWN,
                    UID_OUT_OF_RANGE,
                    FRAME_MALFORMED,
                    COUNT_OUT_OF_BOUNDS,
                    JUMP_OUT_OF_BOUNDS,
                    SEQUENCE_EXHAUSTED,
                    TOO_MANY_WAITING,
                    TOO_MANY_USERS -> false;
        };
    }
}
