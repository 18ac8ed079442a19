package io.seqsvr.core.alloc;

import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import java.util.List;

/**
 * What the calls of one frame got, as columns.
 *
 * @param correlation that of the frame
 * @param seqs one for each call, in order, 0 where it was refused; empty if the frame was refused as a whole. NEXT: the
 *     first sequence of its range; CURRENT: the last one known; RAISE_FLOOR: where the user stands
 * @param segments in which the calls were
 * @param epochs the epoch of each of {@code segments} under which its calls were answered
 * @param bounds CURRENT: places of calls whose sequence is only a bound, in no order
 * @param refusals why calls got nothing, one for each reason
 * @param sequences NEXT: how many are handed out with these answers
 */
public record FrameAnswers(
        long correlation,
        LongColumn seqs,
        IntColumn segments,
        LongColumn epochs,
        IntColumn bounds,
        List<Refused> refusals,
        long sequences) {
    /**
     * Calls that were refused for one reason.
     *
     * @param first what was said to the one that was refused first
     * @param places of the calls, ascending; empty: all calls of the frame
     */
    public record Refused(Answer.Refused first, IntColumn places) {
        /** How many calls these are, of a frame of so many. */
        public int calls(int ofFrame) {
            return places.isEmpty() ? ofFrame : places.size();
        }
    }
}
