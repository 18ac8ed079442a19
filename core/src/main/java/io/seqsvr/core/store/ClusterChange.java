package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of the cluster as they shall be from now on; what is absent stays as it is. May break rules.
 *
 * @param ttlNanos see {@link LeaseTerms}; for sessions that are opened from then on
 * @param driftPermille see {@link LeaseTerms}; for sessions that are opened from then on
 * @param segmentSize of namespaces that are made from then on without one
 * @param step of namespaces that are made from then on without one
 */
public record ClusterChange(
        OptionalLong ttlNanos, OptionalInt driftPermille, OptionalInt segmentSize, OptionalLong step) {
    /** To these terms. */
    public static ClusterChange to(LeaseTerms terms) {
        return new ClusterChange(
                OptionalLong.of(terms.ttlNanos()),
                OptionalInt.of(terms.driftPermille()),
                OptionalInt.empty(),
                OptionalLong.empty());
    }
}
