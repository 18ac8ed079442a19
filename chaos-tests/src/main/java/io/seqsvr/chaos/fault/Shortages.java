package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.host.CpuQuota;
import io.seqsvr.chaos.host.FileLimit;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import org.jspecify.annotations.Nullable;

/** One process gets less of the machine than it needs. */
public final class Shortages {
    private Shortages() {}

    /**
     * It gets so much processor time, until the fault is stopped.
     *
     * @param percent of one processor
     */
    public static Fault ofProcessor(String verb, LocalNode node, int percent) {
        return new OfNode(verb, node) {
            private @Nullable CpuQuota quota;

            @Override
            public void start() {
                quota = CpuQuota.limit(node.pid(), percent);
            }

            @Override
            public boolean isInEffect() {
                return quota != null && quota.throttled() > 0;
            }

            @Override
            public void stop() {
                if (quota == null) {
                    throw new NodeFailure(name() + " was never started");
                }
                quota.close();
            }
        };
    }

    /** It may open no more files, nor connections, than it has, until the fault is stopped. */
    public static Fault ofFiles(String verb, LocalNode node) {
        return new OfNode(verb, node) {
            private @Nullable FileLimit limit;

            @Override
            public void start() {
                limit = FileLimit.atWhatIsOpen(node.pid());
            }

            @Override
            public boolean isInEffect() {
                return limit != null && limit.isReached();
            }

            @Override
            public void stop() {
                if (limit == null) {
                    throw new NodeFailure(name() + " was never started");
                }
                limit.close();
            }
        };
    }
}
