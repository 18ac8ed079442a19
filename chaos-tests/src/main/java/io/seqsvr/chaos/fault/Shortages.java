package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.host.CpuQuota;
import io.seqsvr.chaos.host.FileLimit;
import io.seqsvr.chaos.host.Limit;
import io.seqsvr.chaos.host.MemoryLimit;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** One process gets less of the machine than it needs. */
public final class Shortages {
    private static final Duration GOES_ON_WITHIN = Duration.ofMinutes(1);

    private Shortages() {}

    /**
     * It gets so much processor time, until the fault is stopped.
     *
     * @param percent of one processor
     */
    public static Fault ofProcessor(String verb, LocalNode node, int percent) {
        return new Limited(verb, node, pid -> CpuQuota.limit(pid, percent));
    }

    /**
     * It may open no more files, nor connections, than it has, until the fault is stopped. A node that goes without for
     * some seconds has to end by itself, and is started again.
     */
    public static Fault ofFiles(String verb, LocalNode node) {
        return new Limited(verb, node, FileLimit::atWhatIsOpen) {
            @Override
            public boolean isInEffect() {
                return hasEnded() || super.isInEffect();
            }

            private boolean hasEnded() {
                return node.exitCode().equals(OptionalInt.of(OwnEnd.EXIT_CODE));
            }

            @Override
            public void stop() {
                super.stop();
                try {
                    node.awaitReady(GOES_ON_WITHIN);
                } catch (NodeFailure failure) {
                    if (!hasEnded()) {
                        throw failure;
                    }
                }
                // It may serve still, and have said already that it hands over what it has, and ends.
                if (node.hasSaid(OwnEnd.FATAL) && node.awaitEnd(GOES_ON_WITHIN) != OwnEnd.EXIT_CODE) {
                    throw new NodeFailure(name() + " was to end with exit code " + OwnEnd.EXIT_CODE
                            + ", as it said, and ended with " + node.exitCode().orElseThrow());
                }
                if (hasEnded()) {
                    node.start();
                }
            }
        };
    }

    /** It gets no more memory than it has, so that the kernel kills it; stopping the fault starts it again. */
    public static Fault ofMemory(String verb, LocalNode node) {
        return new Limited(verb, node, MemoryLimit::atWhatItHas) {
            @Override
            public boolean isInEffect() {
                return super.isInEffect() && !node.isAlive();
            }

            @Override
            public void stop() {
                node.killIfAlive();
                super.stop();
                node.start();
            }
        };
    }

    private static class Limited extends OfNode {
        private final LongFunction<Limit> begin;
        private @Nullable Limit limit;

        private Limited(String verb, LocalNode node, LongFunction<Limit> begin) {
            super(verb, node);
            this.begin = begin;
        }

        @Override
        public final void start() {
            limit = begin.apply(node().pid());
        }

        @Override
        public boolean isInEffect() {
            return limit != null && limit.isFelt();
        }

        @Override
        public void stop() {
            if (limit == null) {
                throw new NodeFailure(name() + " was never started");
            }
            limit.close();
        }
    }
}
