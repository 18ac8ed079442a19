package io.seqsvr.proto.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.Rows;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.v1.RouteNamespace;
import io.seqsvr.proto.v1.RoutesReply;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** What callers are told of owners, between the rules' form and that of the public API. */
public final class RoutesCodec {
    /** The version of the mixing that HASHED keying stands for; see {@link Keying#HASHED}. */
    public static final int HASHED_VERSION = 1;

    /** The one set of segments that there is. */
    public static final int SET = 0;

    private RoutesCodec() {}

    /** Encodes changes. */
    public static RoutesReply encode(RouteChanges changes) {
        var reply = RoutesReply.newBuilder()
                .setClusterId(changes.clusterId())
                .setSet(SET)
                .setSince(changes.since())
                .setVersion(changes.version())
                .addAllGoneOwners(changes.owners().gone());
        changes.namespaces().put().forEach(namespace -> reply.addNamespaces(encode(namespace)));
        changes.namespaces().gone().forEach(id -> reply.addGoneNamespaces(Math.toIntExact(id)));
        for (var owner : changes.owners().put()) {
            reply.addOwners(io.seqsvr.proto.v1.RouteOwner.newBuilder()
                    .setSession(owner.session())
                    .setAddress(owner.address())
                    .setName(owner.name()));
        }
        for (var range : changes.ranges()) {
            reply.addRanges(io.seqsvr.proto.v1.RouteRange.newBuilder()
                    .setNamespaceId(range.namespaceId())
                    .setFirstSegment(range.first())
                    .setLastSegment(range.last())
                    .setOwner(range.owner())
                    .setEpoch(range.epoch()));
        }
        return reply.build();
    }

    /**
     * Decodes changes from the bytes of a reply.
     *
     * @throws IllegalArgumentException if they are no reply, or one that {@link #decode(RoutesReply)} does not take
     */
    public static RouteChanges decode(Buffer reply) {
        try {
            return decode(RoutesReply.parseFrom(reply.getBytes()));
        } catch (InvalidProtocolBufferException broken) {
            throw new IllegalArgumentException(broken.getMessage(), broken);
        }
    }

    /**
     * Decodes changes.
     *
     * @throws IllegalArgumentException if the reply is of another set, holds a value that no rule allows, or ranges
     *     that overlap or are out of order
     */
    public static RouteChanges decode(RoutesReply reply) {
        if (reply.getSet() != SET) {
            throw new IllegalArgumentException(
                    "the routes are of set " + Integer.toUnsignedString(reply.getSet()) + "; there is set 0 only");
        }
        if (reply.getClusterId().isEmpty() || reply.getVersion() < 1 || reply.getSince() < 0) {
            throw new IllegalArgumentException("the routes are of cluster '" + reply.getClusterId() + "', version "
                    + reply.getVersion() + " since " + reply.getSince()
                    + "; there must be a cluster, and a version from 1 to 2^63-1");
        }
        return new RouteChanges(
                reply.getClusterId(),
                reply.getSince(),
                reply.getVersion(),
                new Rows<>(
                        reply.getNamespacesList().stream()
                                .map(RoutesCodec::decode)
                                .toList(),
                        reply.getGoneNamespacesList().stream()
                                .map(Integer::longValue)
                                .toList()),
                new Rows<>(
                        reply.getOwnersList().stream()
                                .map(owner -> new RouteOwner(owner.getSession(), owner.getAddress(), owner.getName()))
                                .toList(),
                        reply.getGoneOwnersList()),
                ranges(reply.getRangesList()));
    }

    private static List<RouteRange> ranges(List<io.seqsvr.proto.v1.RouteRange> ranges) {
        var decoded = new ArrayList<RouteRange>(ranges.size());
        for (var range : ranges) {
            int first = range.getFirstSegment();
            int last = range.getLastSegment();
            if (range.getNamespaceId() < 1 || first < 0 || last < first || last == Integer.MAX_VALUE) {
                throw new IllegalArgumentException("the routes hold a range of namespace "
                        + Integer.toUnsignedString(range.getNamespaceId()) + " from segment "
                        + Integer.toUnsignedString(first) + " to " + Integer.toUnsignedString(last));
            }
            decoded.add(new RouteRange(range.getNamespaceId(), first, last, range.getOwner(), range.getEpoch()));
        }
        // The constructor refuses what overlaps or is out of order.
        return new RouteTable(0, decoded).ranges();
    }

    private static RouteNamespace encode(Namespace namespace) {
        var hashed = namespace.keying() == Keying.HASHED;
        return RouteNamespace.newBuilder()
                .setId(namespace.id())
                .setName(namespace.name())
                .setCapacity(namespace.capacity())
                .setSegmentSize(namespace.segmentSize())
                .setKeying(hashed ? RouteNamespace.Keying.HASHED : RouteNamespace.Keying.DIRECT)
                .setKeyingVersion(hashed ? HASHED_VERSION : 0)
                .setOrder(namespace.order() == Order.QUORUM ? RouteNamespace.Order.QUORUM : RouteNamespace.Order.LEASE)
                .setMaxCount(namespace.maxCount())
                .setMaxJump(namespace.maxJump())
                .setMaxSequence(namespace.maxSequence())
                .setStep(namespace.step())
                .build();
    }

    private static Namespace decode(RouteNamespace namespace) {
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

    private static Keying keying(RouteNamespace namespace) {
        if (namespace.getKeying() == RouteNamespace.Keying.DIRECT && namespace.getKeyingVersion() == 0) {
            return Keying.DIRECT;
        }
        if (namespace.getKeying() == RouteNamespace.Keying.HASHED && namespace.getKeyingVersion() == HASHED_VERSION) {
            return Keying.HASHED;
        }
        throw new IllegalArgumentException("the keying of namespace '" + namespace.getName() + "' is "
                + namespace.getKeyingValue() + ", version " + Integer.toUnsignedString(namespace.getKeyingVersion())
                + "; known are 1 (direct), version 0, and 2 (hashed), version 1");
    }

    private static Order order(RouteNamespace namespace) {
        return switch (namespace.getOrder()) {
            case LEASE -> Order.LEASE;
            case QUORUM -> Order.QUORUM;
            case ORDER_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("the order of namespace '" + namespace.getName() + "' is "
                        + namespace.getOrderValue() + "; known are 1 (lease) and 2 (quorum)");
        };
    }
}
