package io.seqsvr.core.front;

/**
 * Tells when a picture has been {@link RouteBook#outdated} for so long that another peer is asked for it. A planned
 * move is shown within some tens of milliseconds by the peer that is being watched, and soonest by the leader: whoever
 * leaves that one at the first refusals sees everything later from then on.
 */
public final class PicturePatience {
    private static final long PATIENCE_NANOS = 300_000_000;
    /** Not heard of for so long, it was up to date in between. */
    private static final long SILENCE_NANOS = 1_000_000_000;
    /** Where a segment has no owner, every peer shows it so until one is planned. */
    private static final long AGAIN_NANOS = 2_000_000_000;
    /** In an outage thousands of clients would change their servers together, and gain nothing. */
    private static final long SELDOM_NANOS = 8_000_000_000L;
    /** By then all that a cluster usually has were asked, of which some may be cut off. */
    private static final int OFTEN = 3;

    private boolean heard;
    private int asked;
    private long askNanos;
    private long lastNanos;

    /**
     * The picture is outdated, which is to be told several times a second while it is.
     *
     * @return whether another peer is to be asked now
     */
    public boolean isOver(long nowNanos) {
        if (!heard || nowNanos - lastNanos >= SILENCE_NANOS) {
            askNanos = nowNanos + PATIENCE_NANOS;
            asked = 0;
        }
        heard = true;
        lastNanos = nowNanos;
        if (nowNanos - askNanos < 0) {
            return false;
        }
        asked++;
        askNanos = nowNanos + pauseNanos();
        return true;
    }

    private long pauseNanos() {
        if (asked <= OFTEN) {
            return AGAIN_NANOS;
        }
        return asked == OFTEN + 1 ? 2 * AGAIN_NANOS : SELDOM_NANOS;
    }
}
