package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.clock.ClockFault;
import io.seqsvr.chaos.process.LocalNode;
import java.time.Duration;

/** The faults that befall the clocks of one process. */
public final class ClockFaults {
    private ClockFaults() {}

    /** Somebody sets the wall clock; stopping the fault sets it right again. */
    public static Fault set(String verb, LocalNode node, ClockFault clock, Duration by) {
        return new OfClock(verb, node, clock) {
            @Override
            public void start() {
                clock.setWall(by);
            }

            @Override
            public boolean isInEffect() {
                return clock.wallIsSeen();
            }
        };
    }

    /**
     * Its clocks go at another rate until the fault is stopped.
     *
     * @param millionths by how much faster; below 0 for slower
     */
    public static Fault run(String verb, LocalNode node, ClockFault clock, int millionths) {
        return new OfClock(verb, node, clock) {
            @Override
            public void start() {
                clock.run(millionths);
            }

            @Override
            public boolean isInEffect() {
                return clock.wallIsSeen() && clock.monotonicIsSeen();
            }
        };
    }

    /** Its monotonic clock jumps back, and stays behind when the fault is stopped: it does not jump again. */
    public static Fault turnBack(String verb, LocalNode node, ClockFault clock, Duration by) {
        return new OfClock(verb, node, clock) {
            @Override
            public void start() {
                clock.holdMonotonic(by);
            }

            @Override
            public boolean isInEffect() {
                return clock.monotonicIsSeen();
            }
        };
    }

    /**
     * Its machine is suspended until the fault is stopped: the process stands still, and with it the monotonic clock.
     */
    public static Fault suspend(String verb, LocalNode node, ClockFault clock) {
        return new NodeFaults.Paused(verb, node) {
            private long sinceNanos;

            @Override
            public void start() {
                super.start();
                sinceNanos = System.nanoTime();
            }

            @Override
            public void stop() {
                clock.holdMonotonic(Duration.ofNanos(System.nanoTime() - sinceNanos));
                super.stop();
            }

            /** Before it was a process that stood still; now it has read a clock that stood still too. */
            @Override
            public boolean hasShown() {
                return clock.monotonicIsSeen();
            }
        };
    }

    private abstract static class OfClock extends OfNode {
        private final ClockFault clock;

        private OfClock(String verb, LocalNode node, ClockFault clock) {
            super(verb, node);
            this.clock = clock;
        }

        /** The process has looked at each clock that was to go wrong. */
        @Override
        public abstract boolean isInEffect();

        @Override
        public final void stop() {
            clock.heal();
        }
    }
}
