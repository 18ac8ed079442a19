package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A namespace as the calls of a frame need it: its segments by index, and a division that is none.
 *
 * <p>Invariant: {@code segments[i]} is what {@link SegmentTable} serves as segment i of this namespace.
 */
final class ServedNamespace {
    private Namespace settings;
    private @Nullable LoadedSegment[] segments = new LoadedSegment[0];
    private final int segmentSize;
    /** floor((2^64 - 1) / segmentSize), read as unsigned. */
    private final long reciprocal;

    private final boolean direct;
    private final long capacity;

    ServedNamespace(Namespace settings) {
        this.settings = settings;
        this.segmentSize = settings.segmentSize();
        this.reciprocal = Long.divideUnsigned(-1L, segmentSize);
        this.direct = settings.keying() == Keying.DIRECT;
        this.capacity = settings.capacity();
    }

    /** The settings as they are now; capacity, segment size and keying never change. */
    Namespace settings() {
        return settings;
    }

    void learn(Namespace newer) {
        settings = newer;
    }

    void put(int index, LoadedSegment segment) {
        if (index >= segments.length) {
            segments = Arrays.copyOf(segments, Math.min(settings.segmentCount(), Math.max(index + 1, 2 * index)));
        }
        segments[index] = segment;
    }

    void remove(int index) {
        segments[index] = null;
    }

    /** The segment of that index, if it is served here; an index may be anything. */
    @Nullable
    LoadedSegment at(int index) {
        return index >= 0 && index < segments.length ? segments[index] : null;
    }

    /** The index of a user's counter, negative if the namespace does not hold the user. */
    long indexOf(long uid) {
        if (!direct) {
            return settings.indexOf(uid);
        }
        return uid < capacity ? uid : -1;
    }

    /**
     * {@code index / segmentSize} for an index that is not negative. The product is too small by less than 1, as
     * {@code index < 2^63}; so one step mends it.
     */
    int segmentOf(long index) {
        long quotient = Math.multiplyHigh(index, reciprocal) + (reciprocal >> 63 & index);
        return (int) (index - quotient * segmentSize >= segmentSize ? quotient + 1 : quotient);
    }

    /** The place of an index in its segment. */
    int slotOf(long index, int segment) {
        return (int) (index - (long) segment * segmentSize);
    }
}
