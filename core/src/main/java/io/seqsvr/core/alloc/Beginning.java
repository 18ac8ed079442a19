package io.seqsvr.core.alloc;

import io.seqsvr.core.store.StoreReply.ClaimedSegment;

/** Where the counters of a segment stood when an epoch of it began: whether its users have a gap, and how wide. */
public enum Beginning {
    /** Nobody has had a number in it. */
    NEW,
    /** At the exact counters of the epoch before: no gap. */
    COUNTERS,
    /**
     * At the greatest sequence that was taken in the epoch before, as no counters came along. Either nobody stood below
     * it, or they got lost, and users have a gap up to it.
     */
    HIGH,
    /** At max_seq: the former owner died, or gave nothing back. A gap for everybody. */
    MAX_SEQ;

    /**
     * How an epoch begins.
     *
     * @param exact whether the counters of the epoch before are taken on
     */
    static Beginning of(ClaimedSegment claimed, boolean exact) {
        if (exact) {
            return COUNTERS;
        }
        if (claimed.base() == 0) {
            return NEW;
        }
        return claimed.fromHigh() ? HIGH : MAX_SEQ;
    }

    /** A segment of which an epoch has begun here. */
    record Loaded(ClaimedSegment claimed, Beginning began) {
        /** Whether it is the next neighbour of one in all that is told. */
        boolean continues(Loaded before) {
            return before.claimed.segment().namespaceId() == claimed.segment().namespaceId()
                    && before.claimed.segment().index() + 1 == claimed.segment().index()
                    && before.claimed.epoch() == claimed.epoch()
                    && before.began == began;
        }
    }
}
