package io.seqsvr.chaos.proxy;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/** The time of Vert.x. */
record LoopTimers(Vertx vertx) implements Timers {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Runnable after(long delayNanos, Runnable work) {
        var timer = vertx.timer(Math.max(1, delayNanos), TimeUnit.NANOSECONDS);
        timer.onSuccess(due -> work.run());
        return timer::cancel;
    }
}
