package io.seqsvr.core.front;

import io.seqsvr.core.namespace.SegmentId;
import java.util.List;

/**
 * Calls of one namespace and one verb that go to one owner together, as one attempt at each of them.
 *
 * @param correlation names this attempt in its reply; a process never uses it again
 * @param address of the owner, HOST:PORT
 * @param places its calls in order; the reply holds one answer for each, in the same order. The
 *     list does not change any more
 * @param timeLeftNanos when the last of its calls ends, from when it was sent, above 0
 */
public record Frame(long correlation, String address, List<Place> places, long timeLeftNanos) {
    /**
     * One call in a frame.
     *
     * @param call what is wanted
     * @param segment the segment of its user
     * @param leastEpoch the least epoch of that segment in which an answer may be believed
     */
    public record Place(Call call, SegmentId segment, long leastEpoch) {}
}
