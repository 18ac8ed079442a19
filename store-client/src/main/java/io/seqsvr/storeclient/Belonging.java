package io.seqsvr.storeclient;

import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.WatchReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which cluster this process belongs to, and the newest life of it that any answer showed.
 *
 * <p>Invariant: for the life of the process an answer of another cluster is not taken, nor one of an older life than
 * one that was seen. A newer life is gone on with: its sessions are others, so the store's answers end what was begun.
 */
final class Belonging {
    private static final Logger LOG = LoggerFactory.getLogger(Belonging.class);
    private static final int UNKNOWN = -1;

    private String cluster;
    private int incarnation = UNKNOWN;

    /** To this cluster; empty where the first answer is to tell. */
    Belonging(String cluster) {
        this.cluster = cluster;
    }

    /** Empty before the first answer. */
    String cluster() {
        return cluster;
    }

    /** Says in a command who sends it. */
    void sign(ExecuteRequest.Builder request) {
        request.setClusterId(cluster);
        if (incarnation != UNKNOWN) {
            request.setIncarnation(incarnation);
        }
    }

    boolean takes(ExecuteReply reply) {
        return takes(reply.getClusterId(), reply.hasIncarnation() ? reply.getIncarnation() : UNKNOWN);
    }

    boolean takes(WatchReply reply) {
        return takes(reply.getClusterId(), reply.hasIncarnation() ? reply.getIncarnation() : UNKNOWN);
    }

    private boolean takes(String seen, int seenIncarnation) {
        if (cluster.isEmpty()) {
            cluster = seen;
            LOG.info("event=cluster_joined cluster={}", cluster);
        }
        if (!cluster.equals(seen) || (seenIncarnation != UNKNOWN && seenIncarnation < incarnation)) {
            return false;
        }
        if (seenIncarnation > incarnation) {
            if (incarnation != UNKNOWN) {
                LOG.warn("event=cluster_restored cluster={} incarnation={}", cluster, seenIncarnation);
            }
            incarnation = seenIncarnation;
        }
        return true;
    }

    /** Words for an answer that is not taken. */
    IllegalStateException refused(String seen) {
        return new IllegalStateException(
                cluster.equals(seen)
                        ? "StoreSvr is of an older life of cluster " + cluster + "; this process has seen incarnation "
                                + incarnation
                        : "StoreSvr is of cluster " + seen + ", this process belongs to " + cluster);
    }
}
