package io.seqsvr.cli;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.storeclient.PeerStatus;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Settings of the cluster, for people and for scripts. */
record ClusterReport(LeaseTerms lease, NamespaceDefaults defaults) {
    /** As a peer says; nothing before it knows the cluster. */
    static Optional<ClusterReport> of(PeerStatus status) {
        return status.lease().flatMap(lease -> status.defaults().map(defaults -> new ClusterReport(lease, defaults)));
    }

    String ttl() {
        return TimeConverter.text(lease.ttlNanos());
    }

    String drift() {
        return Double.toString(lease.driftPermille() / 1000.0);
    }

    String segmentSize() {
        return Integer.toString(defaults.segmentSize());
    }

    String step() {
        return Long.toString(defaults.step());
    }

    String text() {
        return String.join(
                System.lineSeparator(),
                "ttl           " + ttl(),
                "drift         " + drift(),
                "segment_size  " + segmentSize(),
                "step          " + step());
    }

    JsonObject json() {
        return new JsonObject()
                .put("ttl_nanos", Long.toString(lease.ttlNanos()))
                .put("drift_permille", lease.driftPermille())
                .put("segment_size", defaults.segmentSize())
                .put("step", step());
    }
}
