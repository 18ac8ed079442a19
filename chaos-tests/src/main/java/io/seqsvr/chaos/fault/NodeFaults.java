package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalNode;
import java.time.Duration;

/** The faults that befall one process. */
public final class NodeFaults {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);

    private NodeFaults() {}

    /** It dies without a warning; stopping the fault starts it again. */
    public static Fault kill(LocalNode node) {
        return new Ended("kill", node) {
            @Override
            public void start() {
                node.kill9();
            }
        };
    }

    /** It is asked to stop, and does; stopping the fault starts it again. */
    public static Fault restart(LocalNode node) {
        return new Ended("restart", node) {
            @Override
            public void start() {
                var unused = node.terminate(STOPS_WITHIN);
            }
        };
    }

    /** It stands still, with its connections open; stopping the fault lets it go on. */
    public static Fault pause(LocalNode node) {
        return new Paused("pause", node);
    }

    /** It stands still. */
    static class Paused extends OfNode {
        Paused(String verb, LocalNode node) {
            super(verb, node);
        }

        @Override
        public void start() {
            node().freeze();
        }

        @Override
        public final boolean isInEffect() {
            return node().isAlive() && !node().answers();
        }

        @Override
        public void stop() {
            node().thaw();
        }
    }

    private abstract static class Ended extends OfNode {
        private Ended(String verb, LocalNode node) {
            super(verb, node);
        }

        @Override
        public final boolean isInEffect() {
            return !node().isAlive();
        }

        @Override
        public final void stop() {
            node().start();
        }
    }
}
