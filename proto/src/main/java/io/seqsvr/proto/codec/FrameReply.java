package io.seqsvr.proto.codec;

import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of the calls of one frame, as it travels: columns and refusals as the sender put them, nothing of which
 * was checked. Used again for reply after reply.
 */
public final class FrameReply {
    private long correlation;
    private final LongColumn seqs;
    private final IntColumn segments;
    private final LongColumn epochs;
    private final IntColumn bounds;
    private final List<FrameRefusal> refusals = new ArrayList<>();

    /** A reply of which nothing is known yet. */
    public FrameReply() {
        this(new LongColumn(), new IntColumn(), new LongColumn(), new IntColumn());
    }

    /** A reply that shows these columns; they are not copied. */
    public FrameReply(LongColumn seqs, IntColumn segments, LongColumn epochs, IntColumn bounds) {
        this.seqs = seqs;
        this.segments = segments;
        this.epochs = epochs;
        this.bounds = bounds;
    }

    /** That of the frame that it answers. */
    public long correlation() {
        return correlation;
    }

    /** Changes the correlation id. */
    public FrameReply correlation(long ofFrame) {
        correlation = ofFrame;
        return this;
    }

    /** What each call got: NEXT the first sequence, CURRENT the last one known, RAISE_FLOOR where the user stands. */
    public LongColumn seqs() {
        return seqs;
    }

    /** Segments in which calls were answered, as unsigned numbers. */
    public IntColumn segments() {
        return segments;
    }

    /** The epoch of each of {@link #segments}. */
    public LongColumn epochs() {
        return epochs;
    }

    /** CURRENT: places of calls whose sequence is only a bound. */
    public IntColumn bounds() {
        return bounds;
    }

    /** Why calls got nothing. */
    public List<FrameRefusal> refusals() {
        return refusals;
    }

    /** Takes everything out. */
    public void clear() {
        correlation = 0;
        seqs.clear();
        segments.clear();
        epochs.clear();
        bounds.clear();
        refusals.clear();
    }
}
