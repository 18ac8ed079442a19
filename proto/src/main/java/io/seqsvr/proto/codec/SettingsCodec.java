package io.seqsvr.proto.codec;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.proto.internal.v1.AlterCluster;
import io.seqsvr.proto.internal.v1.AlterNamespace;
import io.seqsvr.proto.internal.v1.CreateNamespace;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Namespaces, their defaults and lease terms, which travel in commands, replies and rows alike. */
public final class SettingsCodec {
    private SettingsCodec() {}

    /** Encodes a namespace. */
    public static io.seqsvr.proto.internal.v1.Namespace encode(Namespace namespace) {
        return io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                .setId(namespace.id())
                .setName(namespace.name())
                .setCapacity(namespace.capacity())
                .setSegmentSize(namespace.segmentSize())
                .setKeying(encode(namespace.keying()))
                .setOrder(encode(namespace.order()))
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

    /** Encodes what somebody wants of a new namespace. */
    public static CreateNamespace encode(NamespaceSettings settings) {
        return CreateNamespace.newBuilder()
                .setSettings(io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                        .setName(settings.name())
                        .setCapacity(settings.capacity())
                        .setSegmentSize(settings.segmentSize())
                        .setKeying(encode(settings.keying()))
                        .setOrder(encode(settings.order()))
                        .setStep(settings.step())
                        .setMaxCount(settings.maxCount())
                        .setMaxJump(settings.maxJump())
                        .setMaxSequence(settings.maxSequence()))
                .build();
    }

    /**
     * Decodes what somebody wants of a new namespace; it may break rules of the settings.
     *
     * @throws IllegalArgumentException if it has an id, or a keying or order that nobody knows
     */
    public static NamespaceSettings decode(CreateNamespace create) {
        var settings = create.getSettings();
        if (settings.getId() != 0) {
            throw new IllegalArgumentException("the id of the new namespace '" + settings.getName() + "' is "
                    + Integer.toUnsignedString(settings.getId()) + "; it must be 0, as the store gives it");
        }
        return new NamespaceSettings(
                settings.getName(),
                settings.getCapacity(),
                settings.getSegmentSize(),
                keying(settings),
                order(settings),
                settings.getStep(),
                settings.getMaxCount(),
                settings.getMaxJump(),
                settings.getMaxSequence());
    }

    /** Encodes what somebody wants changed of the namespace of that name. */
    public static AlterNamespace encode(String name, NamespaceChange change) {
        var encoded = AlterNamespace.newBuilder().setName(name);
        change.capacity().ifPresent(encoded::setCapacity);
        change.segmentSize().ifPresent(encoded::setSegmentSize);
        change.keying().ifPresent(keying -> encoded.setKeying(encode(keying)));
        change.order().ifPresent(order -> encoded.setOrder(encode(order)));
        change.step().ifPresent(encoded::setStep);
        change.maxCount().ifPresent(encoded::setMaxCount);
        change.maxJump().ifPresent(encoded::setMaxJump);
        change.maxSequence().ifPresent(encoded::setMaxSequence);
        return encoded.build();
    }

    /**
     * Decodes what somebody wants changed; it may break rules of the settings.
     *
     * @throws IllegalArgumentException if it has a keying or an order that nobody knows
     */
    public static NamespaceChange decode(AlterNamespace alter) {
        return new NamespaceChange(
                alter.hasCapacity() ? OptionalLong.of(alter.getCapacity()) : OptionalLong.empty(),
                alter.hasSegmentSize() ? OptionalInt.of(alter.getSegmentSize()) : OptionalInt.empty(),
                alter.hasKeying()
                        ? Optional.of(keying(alter.getName(), alter.getKeying(), alter.getKeyingValue()))
                        : Optional.empty(),
                alter.hasOrder()
                        ? Optional.of(order(alter.getName(), alter.getOrder(), alter.getOrderValue()))
                        : Optional.empty(),
                alter.hasStep() ? OptionalLong.of(alter.getStep()) : OptionalLong.empty(),
                alter.hasMaxCount() ? OptionalInt.of(alter.getMaxCount()) : OptionalInt.empty(),
                alter.hasMaxJump() ? OptionalLong.of(alter.getMaxJump()) : OptionalLong.empty(),
                alter.hasMaxSequence() ? OptionalLong.of(alter.getMaxSequence()) : OptionalLong.empty());
    }

    private static io.seqsvr.proto.internal.v1.Namespace.Keying encode(Keying keying) {
        return switch (keying) {
            case DIRECT -> io.seqsvr.proto.internal.v1.Namespace.Keying.DIRECT;
            case HASHED -> io.seqsvr.proto.internal.v1.Namespace.Keying.HASHED;
        };
    }

    private static io.seqsvr.proto.internal.v1.Namespace.Order encode(Order order) {
        return switch (order) {
            case LEASE -> io.seqsvr.proto.internal.v1.Namespace.Order.LEASE;
            case QUORUM -> io.seqsvr.proto.internal.v1.Namespace.Order.QUORUM;
        };
    }

    private static Keying keying(io.seqsvr.proto.internal.v1.Namespace namespace) {
        return keying(namespace.getName(), namespace.getKeying(), namespace.getKeyingValue());
    }

    private static Keying keying(String name, io.seqsvr.proto.internal.v1.Namespace.Keying keying, int number) {
        return switch (keying) {
            case DIRECT -> Keying.DIRECT;
            case HASHED -> Keying.HASHED;
            case KEYING_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("the keying of namespace '" + name + "' is " + number
                        + "; it must be 1 (direct) or 2 (hashed)");
        };
    }

    private static Order order(io.seqsvr.proto.internal.v1.Namespace namespace) {
        return order(namespace.getName(), namespace.getOrder(), namespace.getOrderValue());
    }

    private static Order order(String name, io.seqsvr.proto.internal.v1.Namespace.Order order, int number) {
        return switch (order) {
            case LEASE -> Order.LEASE;
            case QUORUM -> Order.QUORUM;
            case ORDER_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException(
                        "the order of namespace '" + name + "' is " + number + "; it must be 1 (lease) or 2 (quorum)");
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

    /** Encodes what namespaces get that do not name it. */
    public static io.seqsvr.proto.internal.v1.NamespaceDefaults encode(NamespaceDefaults defaults) {
        return io.seqsvr.proto.internal.v1.NamespaceDefaults.newBuilder()
                .setSegmentSize(defaults.segmentSize())
                .setStep(defaults.step())
                .build();
    }

    /**
     * Decodes what namespaces get that do not name it.
     *
     * @throws IllegalArgumentException if it holds a value that no rule allows
     */
    public static NamespaceDefaults decode(io.seqsvr.proto.internal.v1.NamespaceDefaults defaults) {
        return new NamespaceDefaults(defaults.getSegmentSize(), defaults.getStep());
    }

    /** Encodes what somebody wants changed of the cluster. */
    public static AlterCluster encode(ClusterChange change) {
        var encoded = AlterCluster.newBuilder();
        change.ttlNanos().ifPresent(encoded::setTtlNanos);
        change.driftPermille().ifPresent(encoded::setDriftPermille);
        change.segmentSize().ifPresent(encoded::setSegmentSize);
        change.step().ifPresent(encoded::setStep);
        return encoded.build();
    }

    /** Decodes what somebody wants changed of the cluster; it may break rules of the settings. */
    public static ClusterChange decode(AlterCluster alter) {
        return new ClusterChange(
                alter.hasTtlNanos() ? OptionalLong.of(alter.getTtlNanos()) : OptionalLong.empty(),
                alter.hasDriftPermille() ? OptionalInt.of(alter.getDriftPermille()) : OptionalInt.empty(),
                alter.hasSegmentSize() ? OptionalInt.of(alter.getSegmentSize()) : OptionalInt.empty(),
                alter.hasStep() ? OptionalLong.of(alter.getStep()) : OptionalLong.empty());
    }
}
