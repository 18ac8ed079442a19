package io.seqsvr.proto.codec;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;

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
                .setKeying(
                        switch (namespace.keying()) {
                            case DIRECT -> io.seqsvr.proto.internal.v1.Namespace.Keying.DIRECT;
                            case HASHED -> io.seqsvr.proto.internal.v1.Namespace.Keying.HASHED;
                        })
                .setOrder(
                        switch (namespace.order()) {
                            case LEASE -> io.seqsvr.proto.internal.v1.Namespace.Order.LEASE;
                            case QUORUM -> io.seqsvr.proto.internal.v1.Namespace.Order.QUORUM;
                        })
                .setStep(namespace.step())
                .setMaxCount(namespace.maxCount())
                .setMaxJump(namespace.maxJump())
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
                keying(namespace),
                order(namespace),
                namespace.getStep(),
                namespace.getMaxCount(),
                namespace.getMaxJump(),
                namespace.getMaxSequence());
    }

    private static Keying keying(io.seqsvr.proto.internal.v1.Namespace namespace) {
        return switch (namespace.getKeying()) {
            case DIRECT -> Keying.DIRECT;
            case HASHED -> Keying.HASHED;
            case KEYING_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("the keying of namespace '" + namespace.getName() + "' is "
                        + namespace.getKeyingValue() + "; it must be 1 (direct) or 2 (hashed)");
        };
    }

    private static Order order(io.seqsvr.proto.internal.v1.Namespace namespace) {
        return switch (namespace.getOrder()) {
            case LEASE -> Order.LEASE;
            case QUORUM -> Order.QUORUM;
            case ORDER_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("the order of namespace '" + namespace.getName() + "' is "
                        + namespace.getOrderValue() + "; it must be 1 (lease) or 2 (quorum)");
        };
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
