package io.seqsvr.chaos.live;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** One call of the Java client, which has begun. */
final class ClientCall {
    private final UserWay way;
    private final LongSupplier nanoClock;
    private final BooleanSupplier isOver;
    private final long begunNanos;

    /**
     * It begins.
     *
     * @param isOver whether nothing counts any more
     */
    ClientCall(UserWay way, LongSupplier nanoClock, BooleanSupplier isOver) {
        this.way = way;
        this.nanoClock = nanoClock;
        this.isOver = isOver;
        this.begunNanos = nanoClock.getAsLong();
        synchronized (way) {
            way.begin(begunNanos);
        }
    }

    /** It was answered, under an owner that the client does not name. */
    void answered() {
        synchronized (way) {
            if (!isOver.getAsBoolean()) {
                way.answered(begunNanos, nanoClock.getAsLong(), UserWay.UNTOLD);
            }
        }
    }

    /** It was not. */
    void failed(String said) {
        synchronized (way) {
            if (!isOver.getAsBoolean()) {
                way.failed(failures -> failures.plusUnanswered(said));
            }
        }
    }
}
