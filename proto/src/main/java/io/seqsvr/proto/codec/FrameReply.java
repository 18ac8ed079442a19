package io.seqsvr.proto.codec;

import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private @Nullable Buffer routes;

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

    /**
     * Who owns what by now, as the bytes of a RoutesReply, into which nobody has looked: {@link RoutesCodec} reads
     * them. Null if nothing is told of it.
     */
    public @Nullable Buffer routes() {
        return routes;
    }

    /** Changes what is told of owners. */
    public FrameReply routes(Buffer encoded) {
        routes = encoded;
        return this;
    }

    /** A message that comes in parts is read as if these were one, as protobuf has it. */
    void addRoutes(Buffer part) {
        routes = routes == null ? part : routes.copy().appendBuffer(part);
    }

    /** Takes everything out. */
    public void clear() {
        correlation = 0;
        seqs.clear();
        segments.clear();
        epochs.clear();
        bounds.clear();
        refusals.clear();
        routes = null;
    }
}
