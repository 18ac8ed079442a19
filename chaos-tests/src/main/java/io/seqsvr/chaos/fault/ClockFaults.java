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
            void strike() {
                clock.setWall(by);
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
            void strike() {
                clock.run(millionths);
            }
        };
    }

    /**
     * Its machine is suspended until the fault is stopped: the process stands still, and with it the monotonic clock.
     */
    public static Fault suspend(String verb, LocalNode node, ClockFault clock) {
        return new Fault() {
            private long sinceNanos;

            @Override
            public String name() {
                return verb + " " + node.name();
            }

            @Override
            public void start() {
                node.freeze();
                sinceNanos = System.nanoTime();
            }

            @Override
            public boolean isInEffect() {
                return node.isAlive() && !node.answers();
            }

            @Override
            public void stop() {
                clock.holdMonotonic(Duration.ofNanos(System.nanoTime() - sinceNanos));
                node.thaw();
            }
        };
    }

    private abstract static class OfClock implements Fault {
        private final String verb;
        private final LocalNode node;
        private final ClockFault clock;
        private long struckBefore;

        private OfClock(String verb, LocalNode node, ClockFault clock) {
            this.verb = verb;
            this.node = node;
            this.clock = clock;
        }

        abstract void strike();

        @Override
        public final String name() {
            return verb + " " + node.name();
        }

        @Override
        public final void start() {
            struckBefore = clock.struck();
            strike();
        }

        /** The process has looked at such a clock. */
        @Override
        public final boolean isInEffect() {
            return clock.struck() > struckBefore;
        }

        @Override
        public final void stop() {
            clock.heal();
        }
    }
}
