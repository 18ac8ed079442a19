package io.seqsvr.storesvr.codec;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;

/** Namespaces and lease terms, which travel in commands, replies and rows alike. */
public final class SettingsCodec {
    private SettingsCodec() {}

    /** Encodes a namespace. */
    public static io.seqsvr.proto.internal.v1.Namespace encode(Namespace namespace) {
        return io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                .setId(namespace.id())
                .setName(namespace.name())
                .setCapacity(namespace.capacity())
                .setSegmentSize(namespace.segmentSize())
                .setStep(namespace.step())
                .setMaxCount(namespace.maxCount())
                .setMaxSequence(namespace.maxSequence())
                .build();
    }

    /**
     * Decodes a namespace.
     *
     * @throws IllegalArgumentException if it holds a value that no rule allows
     */
    public static Namespace decode(io.seqsvr.proto.internal.v1.Namespace namespace) {
        return new Namespace(
                namespace.getId(),
                namespace.getName(),
                namespace.getCapacity(),
                namespace.getSegmentSize(),
                namespace.getStep(),
                namespace.getMaxCount(),
                namespace.getMaxSequence());
    }

    /** Encodes lease terms. */
    public static io.seqsvr.proto.internal.v1.LeaseTerms encode(LeaseTerms terms) {
        return io.seqsvr.proto.internal.v1.LeaseTerms.newBuilder()
                .setTtlNanos(terms.ttlNanos())
                .setDriftPermille(terms.driftPermille())
                .build();
    }

    /**
     * Decodes lease terms.
     *
     * @throws IllegalArgumentException if they hold a value that no rule allows
     */
    public static LeaseTerms decode(io.seqsvr.proto.internal.v1.LeaseTerms terms) {
        return new LeaseTerms(terms.getTtlNanos(), terms.getDriftPermille());
    }
}
