package io.seqsvr.storesvr.rocks;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.proto.codec.SessionKindCodec;
import io.seqsvr.proto.codec.SettingsCodec;
import io.seqsvr.proto.codec.TableCodec;
import io.seqsvr.proto.internal.v1.ClusterRow;
import io.seqsvr.proto.internal.v1.SegmentRow;
import io.seqsvr.proto.internal.v1.SessionRow;

/** The state's records as rows of the database. */
final class RowCodec {
    private RowCodec() {}

    static byte[] encode(Cluster cluster) {
        return message(cluster).toByteArray();
    }

    static ClusterRow message(Cluster cluster) {
        return ClusterRow.newBuilder()
                .setClusterId(cluster.id())
                .setLease(SettingsCodec.encode(cluster.lease()))
                .setDefaults(SettingsCodec.encode(cluster.defaults()))
                .setIncarnation(cluster.incarnation())
                .setFloor(cluster.floor())
                .setPublishVersion(cluster.publishVersion())
                .setTableVersion(cluster.tableVersion())
                .setWatchVersion(cluster.watchVersion())
                .build();
    }

    static Cluster cluster(byte[] row) throws InvalidProtocolBufferException {
        return cluster(ClusterRow.parseFrom(row));
    }

    static Cluster cluster(ClusterRow cluster) {
        return new Cluster(
                cluster.getClusterId(),
                SettingsCodec.decode(cluster.getLease()),
                cluster.hasDefaults() ? SettingsCodec.decode(cluster.getDefaults()) : NamespaceDefaults.INITIAL,
                cluster.getIncarnation(),
                cluster.getFloor(),
                cluster.getPublishVersion(),
                cluster.getTableVersion(),
                cluster.getWatchVersion());
    }

    static byte[] encode(Namespace namespace) {
        return SettingsCodec.encode(namespace).toByteArray();
    }

    static Namespace namespace(byte[] row) throws InvalidProtocolBufferException {
        return SettingsCodec.decode(io.seqsvr.proto.internal.v1.Namespace.parseFrom(row));
    }

    static byte[] encode(Session session) {
        return message(session).toByteArray();
    }

    static SessionRow message(Session session) {
        return SessionRow.newBuilder()
                .setSession(session.id())
                .setKind(SessionKindCodec.encode(session.kind()))
                .setNonce(session.nonce())
                .setName(session.name())
                .setAddress(session.address())
                .setLease(SettingsCodec.encode(session.terms()))
                .setRenewal(session.renewal())
                .setAssignmentVersion(session.assignmentVersion())
                .setExpelled(session.expelled())
                .setLeaving(session.leaving())
                .build();
    }

    static Session session(byte[] row) throws InvalidProtocolBufferException {
        return session(SessionRow.parseFrom(row));
    }

    static Session session(SessionRow session) {
        return new Session(
                session.getSession(),
                SessionKindCodec.decode(session.getKindValue()),
                session.getNonce(),
                session.getName(),
                session.getAddress(),
                SettingsCodec.decode(session.getLease()),
                session.getRenewal(),
                session.getAssignmentVersion(),
                session.getExpelled(),
                session.getLeaving());
    }

    static byte[] encode(SegmentRecord segment) {
        return message(segment).toByteArray();
    }

    static SegmentRow message(SegmentRecord segment) {
        var row = SegmentRow.newBuilder()
                .setEpoch(segment.epoch())
                .setOwner(segment.owner())
                .setBase(segment.base())
                .setHandedBy(segment.handedBy())
                .setMaxSeq(segment.maxSeq())
                .setAssignedAt(segment.assignedAt());
        var release = segment.release();
        if (release instanceof ReleaseMark.WithHigh with) {
            row.setRelease(SegmentRow.ReleaseMark.WITH_HIGH).setHigh(with.high());
        } else if (release instanceof ReleaseMark.WithoutHigh) {
            row.setRelease(SegmentRow.ReleaseMark.WITHOUT_HIGH);
        } else if (release instanceof ReleaseMark.None) {
            row.setRelease(SegmentRow.ReleaseMark.NOT_RELEASED);
        } else {
            throw new IllegalStateException("no row for " + release);
        }
        return row.build();
    }

    static SegmentRecord segment(SegmentId id, byte[] row) throws InvalidProtocolBufferException {
        return segment(id, SegmentRow.parseFrom(row));
    }

    static SegmentRecord segment(SegmentId id, SegmentRow segment) {
        return new SegmentRecord(
                id,
                segment.getEpoch(),
                segment.getOwner(),
                segment.getBase(),
                segment.getHandedBy(),
                segment.getMaxSeq(),
                segment.getAssignedAt(),
                release(id, segment));
    }

    static byte[] encode(CounterTable table) {
        return TableCodec.encode(table).toByteArray();
    }

    static CounterTable table(byte[] row) throws InvalidProtocolBufferException {
        return TableCodec.decode(io.seqsvr.proto.internal.v1.CounterTable.parseFrom(row));
    }

    private static ReleaseMark release(SegmentId id, SegmentRow segment) {
        return switch (segment.getRelease()) {
            case NOT_RELEASED -> ReleaseMark.NONE;
            case WITHOUT_HIGH -> ReleaseMark.WITHOUT_HIGH;
            case WITH_HIGH -> new ReleaseMark.WithHigh(segment.getHigh());
            case RELEASE_MARK_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException(
                        "the release mark of segment " + id + " is " + segment.getReleaseValue()
                                + "; it must be 1 (not released), 2 (without high) or 3 (with high)");
        };
    }
}
