package io.seqsvr.storesvr.rocks;

import io.seqsvr.core.namespace.SegmentId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Every key of the database, format 1. Numbers are big-endian, so that keys sort as the numbers do; values are messages
 * of {@code storage.proto} unless said otherwise.
 *
 * <pre>
 * column family   key                         value
 * default         "format"                    4 bytes: version of this layout
 * default         "applied"                   16 bytes: term and index of the last applied entry
 * default         "cluster"                   ClusterRow
 * namespaces      namespace id (4)            Namespace (commands.proto)
 * sessions        session id (8)              SessionRow, open sessions only
 * segments        namespace id (4) index (4)  SegmentRow
 * tables          namespace id (4) index (4)  CounterTable (commands.proto)
 * </pre>
 */
final class KeyLayout {
    static final int FORMAT = 1;

    static final String NAMESPACES = "namespaces";
    static final String SESSIONS = "sessions";
    static final String SEGMENTS = "segments";
    static final String TABLES = "tables";

    static final byte[] FORMAT_KEY = "format".getBytes(StandardCharsets.US_ASCII);
    static final byte[] APPLIED_KEY = "applied".getBytes(StandardCharsets.US_ASCII);
    static final byte[] CLUSTER_KEY = "cluster".getBytes(StandardCharsets.US_ASCII);

    private KeyLayout() {}

    static byte[] namespace(int id) {
        return ByteBuffer.allocate(4).putInt(id).array();
    }

    static byte[] session(long id) {
        return ByteBuffer.allocate(8).putLong(id).array();
    }

    static byte[] segment(SegmentId id) {
        return ByteBuffer.allocate(8)
                .putInt(id.namespaceId())
                .putInt(id.index())
                .array();
    }

    static SegmentId segmentId(byte[] key) {
        var numbers = ByteBuffer.wrap(key);
        return new SegmentId(numbers.getInt(), numbers.getInt());
    }

    static byte[] applied(Applied applied) {
        return ByteBuffer.allocate(16)
                .putLong(applied.term())
                .putLong(applied.index())
                .array();
    }

    static Applied applied(byte[] value) {
        var numbers = ByteBuffer.wrap(value);
        return new Applied(numbers.getLong(), numbers.getLong());
    }
}
