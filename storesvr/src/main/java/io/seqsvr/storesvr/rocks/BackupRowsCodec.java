package io.seqsvr.storesvr.rocks;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutNamespace;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.PutSession;
import io.seqsvr.proto.codec.SettingsCodec;
import io.seqsvr.proto.internal.v1.BackupRow;
import io.seqsvr.proto.internal.v1.BackupRows;
import io.seqsvr.proto.internal.v1.BackupSegment;
import java.util.List;

/** Rows of a backup, outside of any database: the database's own with their keys, a page of them at a time. */
public final class BackupRowsCodec {
    private BackupRowsCodec() {}

    /**
     * A page.
     *
     * @param rows of the cluster, namespaces, sessions and segments, none of which is removed
     */
    public static byte[] encode(List<StoreChange> rows) {
        var page = BackupRows.newBuilder();
        rows.forEach(row -> page.addRows(encode(row)));
        return page.build().toByteArray();
    }

    private static BackupRow encode(StoreChange change) {
        var row = BackupRow.newBuilder();
        if (change instanceof PutSegment put) {
            row.setSegment(BackupSegment.newBuilder()
                    .setNamespaceId(put.segment().id().namespaceId())
                    .setIndex(put.segment().id().index())
                    .setRow(RowCodec.message(put.segment())));
        } else if (change instanceof PutSession put) {
            row.setSession(RowCodec.message(put.session()));
        } else if (change instanceof PutNamespace put) {
            row.setNamespace(SettingsCodec.encode(put.namespace()));
        } else if (change instanceof PutCluster put) {
            row.setCluster(RowCodec.message(put.cluster()));
        } else {
            throw new IllegalArgumentException("a backup has no row for " + change);
        }
        return row.build();
    }

    /**
     * The rows of a page.
     *
     * @throws InvalidProtocolBufferException if it is none
     * @throws IllegalArgumentException if a row holds what no rule allows
     */
    public static List<StoreChange> decode(byte[] page) throws InvalidProtocolBufferException {
        return BackupRows.parseFrom(page).getRowsList().stream()
                .map(BackupRowsCodec::decode)
                .toList();
    }

    private static StoreChange decode(BackupRow row) {
        return switch (row.getRowCase()) {
            case CLUSTER -> new PutCluster(RowCodec.cluster(row.getCluster()));
            case NAMESPACE -> new PutNamespace(SettingsCodec.decode(row.getNamespace()));
            case SESSION -> new PutSession(RowCodec.session(row.getSession()));
            case SEGMENT -> {
                var segment = row.getSegment();
                yield new PutSegment(RowCodec.segment(
                        new SegmentId(segment.getNamespaceId(), segment.getIndex()), segment.getRow()));
            }
            case ROW_NOT_SET -> throw new IllegalArgumentException("a row of no known kind");
        };
    }
}
