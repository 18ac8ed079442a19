package io.seqsvr.core.alloc;

/**
 * How far a request came: refused; waiting for a raise or a confirmation; confirmed by the log, free to leave; or
 * taken, free to leave after a look at the lease.
 */
public sealed interface Step {
    /** How a request ends that waits when the time of its caller is over. */
    Refused LATE = new Refused(new Answer.Refused(
            Refusal.DEADLINE_PASSED, "it still waited for StoreSvr when its time was over; it may have used numbers"));

    /**
     * The request ends here.
     *
     * @param answer why
     */
    record Refused(Answer.Refused answer) implements Step {}

    /**
     * The numbers lie above max_seq, or wait for a confirmation: an {@link AllocatorEffect.Resume} with this ticket
     * follows, unless it is {@link Allocator#forget forgotten}.
     *
     * @param ticket identifies the request
     * @param segment where they were taken
     */
    record Waiting(long ticket, LoadedSegment segment) implements Step {}

    /**
     * StoreSvr's log confirmed, after the numbers were taken, that they were this owner's to take: the answer leaves,
     * no clock is asked.
     *
     * @param answer what leaves
     */
    record Confirmed(Answer answer) implements Step {}

    /**
     * The numbers are taken and durable. The caller reads the clocks <em>now</em> and passes this to
     * {@link Allocator#release}; until then nothing may leave.
     *
     * @param segment where they were taken
     * @param answer what leaves if the lease is valid
     */
    record Taken(LoadedSegment segment, Answer answer) implements Step {}
}
