package io.seqsvr.storeclient;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.AlterLease;
import io.seqsvr.proto.internal.v1.AlterNamespace;
import io.seqsvr.proto.internal.v1.CreateNamespace;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Namespace;

/** Commands about settings, from the rules' form to the wire's. */
final class SettingsEncoder {
    private SettingsEncoder() {}

    static CreateNamespace encode(StoreCommand.CreateNamespace create) {
        var settings = create.settings();
        return CreateNamespace.newBuilder()
                .setSettings(Namespace.newBuilder()
                        .setName(settings.name())
                        .setCapacity(settings.capacity())
                        .setSegmentSize(settings.segmentSize())
                        .setKeying(keying(settings.keying()))
                        .setOrder(order(settings.order()))
                        .setStep(settings.step())
                        .setMaxCount(settings.maxCount())
                        .setMaxJump(settings.maxJump())
                        .setMaxSequence(settings.maxSequence()))
                .build();
    }

    static AlterNamespace encode(StoreCommand.AlterNamespace alter) {
        var encoded = AlterNamespace.newBuilder().setName(alter.name());
        var change = alter.change();
        change.capacity().ifPresent(encoded::setCapacity);
        change.segmentSize().ifPresent(encoded::setSegmentSize);
        change.keying().ifPresent(keying -> encoded.setKeying(keying(keying)));
        change.order().ifPresent(order -> encoded.setOrder(order(order)));
        change.step().ifPresent(encoded::setStep);
        change.maxCount().ifPresent(encoded::setMaxCount);
        change.maxJump().ifPresent(encoded::setMaxJump);
        change.maxSequence().ifPresent(encoded::setMaxSequence);
        return encoded.build();
    }

    static AlterLease encode(StoreCommand.AlterLease alter) {
        return AlterLease.newBuilder()
                .setTerms(LeaseTerms.newBuilder()
                        .setTtlNanos(alter.terms().ttlNanos())
                        .setDriftPermille(alter.terms().driftPermille()))
                .build();
    }

    private static Namespace.Keying keying(io.seqsvr.core.namespace.Keying keying) {
        return switch (keying) {
            case DIRECT -> Namespace.Keying.DIRECT;
            case HASHED -> Namespace.Keying.HASHED;
        };
    }

    private static Namespace.Order order(io.seqsvr.core.namespace.Order order) {
        return switch (order) {
            case LEASE -> Namespace.Order.LEASE;
            case QUORUM -> Namespace.Order.QUORUM;
        };
    }
}
