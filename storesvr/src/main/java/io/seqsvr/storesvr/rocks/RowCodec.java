package io.seqsvr.storesvr.rocks;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.proto.internal.v1.ClusterRow;
import io.seqsvr.proto.internal.v1.SegmentRow;
import io.seqsvr.proto.internal.v1.SessionRow;
import io.seqsvr.storesvr.codec.SettingsCodec;

/** The state's records as rows of the database. */
final class RowCodec {
    private RowCodec() {}

    static byte[] encode(Cluster cluster) {
        return ClusterRow.newBuilder()
                .setClusterId(cluster.id())
                .setLease(SettingsCodec.encode(cluster.lease()))
                .setTableVersion(cluster.tableVersion())
                .setWatchVersion(cluster.watchVersion())
                .build()
                .toByteArray();
    }

    static Cluster cluster(byte[] row) throws InvalidProtocolBufferException {
        var cluster = ClusterRow.parseFrom(row);
        return new Cluster(
                cluster.getClusterId(),
                SettingsCodec.decode(cluster.getLease()),
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
        return SessionRow.newBuilder()
                .setSession(session.id())
                .setNonce(session.nonce())
                .setName(session.name())
                .setAddress(session.address())
                .setRenewal(session.renewal())
                .setAssignmentVersion(session.assignmentVersion())
                .build()
                .toByteArray();
    }

    static Session session(byte[] row) throws InvalidProtocolBufferException {
        var session = SessionRow.parseFrom(row);
        return new Session(
                session.getSession(),
                session.getNonce(),
                session.getName(),
                session.getAddress(),
                session.getRenewal(),
                session.getAssignmentVersion());
    }

    static byte[] encode(SegmentRecord segment) {
        return SegmentRow.newBuilder()
                .setEpoch(segment.epoch())
                .setOwner(segment.owner())
                .setBase(segment.base())
                .setMaxSeq(segment.maxSeq())
                .setAssignedAt(segment.assignedAt())
                .build()
                .toByteArray();
    }

    static SegmentRecord segment(SegmentId id, byte[] row) throws InvalidProtocolBufferException {
        var segment = SegmentRow.parseFrom(row);
        return new SegmentRecord(
                id,
                segment.getEpoch(),
                segment.getOwner(),
                segment.getBase(),
                segment.getMaxSeq(),
                segment.getAssignedAt());
    }
}
