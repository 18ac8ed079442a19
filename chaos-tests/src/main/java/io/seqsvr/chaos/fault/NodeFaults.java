package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.host.Freezer;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    /** It is asked to stop, and does, as one that is well; stopping the fault starts it again. */
    public static Fault restart(LocalNode node) {
        return new Ended("restart", node) {
            @Override
            public void start() {
                node.stop(STOPS_WITHIN);
            }
        };
    }

    /** It stands still, with its connections open; stopping the fault lets it go on. */
    public static Fault pause(LocalNode node) {
        return new Paused("pause", node);
    }

    /** The same by the kernel's freezer: no signal tells the process. */
    public static Fault freeze(String verb, LocalNode node) {
        return new OfNode(verb, node) {
            private @Nullable Freezer freezer;

            @Override
            public void start() {
                freezer = Freezer.freeze(node.pid());
            }

            @Override
            public boolean isInEffect() {
                return freezer != null && freezer.isFrozen() && node.isAlive() && !node.answers();
            }

            @Override
            public void stop() {
                if (freezer == null) {
                    throw new NodeFailure(name() + " was never started");
                }
                freezer.close();
                freezer = null;
            }
        };
    }

    /** It stands still. */
    static class Paused extends OfNode {
        Paused(String verb, LocalNode node) {
            super(verb, node);
        }

        @Override
        public void start() {
            node().pause();
        }

        @Override
        public final boolean isInEffect() {
            return node().isAlive() && !node().answers();
        }

        @Override
        public void stop() {
            node().resume();
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
