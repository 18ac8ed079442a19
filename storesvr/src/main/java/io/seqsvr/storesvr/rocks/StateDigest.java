package io.seqsvr.storesvr.rocks;

import io.seqsvr.core.store.StoreState;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Eight bytes that stand for all rows of a state: the first of a SHA-256 over each row as it is stored, kind by kind,
 * in the order of their keys. Two states with the same rows have the same digest, however they came to them; two that
 * differ anywhere have different ones, but for one chance in 2^64.
 */
public final class StateDigest {
    private static final int BYTES = 8;

    private final MessageDigest sha;
    private final ByteBuffer lengths = ByteBuffer.allocate(9);

    private StateDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            // Every Java platform has it.
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The digest of a state, as 16 hexadecimal digits.
     *
     * @param state must not change meanwhile
     */
    public static String of(StoreState state) {
        var digest = new StateDigest();
        state.cluster().ifPresent(cluster -> digest.add('c', KeyLayout.CLUSTER_KEY, RowCodec.encode(cluster)));
        for (var namespace : state.namespaces()) {
            digest.add('n', KeyLayout.namespace(namespace.id()), RowCodec.encode(namespace));
        }
        for (var session : state.sessions()) {
            digest.add('s', KeyLayout.session(session.id()), RowCodec.encode(session));
        }
        for (var segment : state.segments()) {
            digest.add('g', KeyLayout.segment(segment.id()), RowCodec.encode(segment));
        }
        // A table belongs to a segment that has a record.
        for (var segment : state.segments()) {
            state.table(segment.id())
                    .ifPresent(stored ->
                            digest.add('t', KeyLayout.segment(segment.id()), RowCodec.encode(stored.table())));
        }
        return HexFormat.of().formatHex(Arrays.copyOf(digest.sha.digest(), BYTES));
    }

    /** With the lengths before them, so that no two rows can look like two others. */
    private void add(char kind, byte[] key, byte[] row) {
        sha.update(lengths.clear()
                .put((byte) kind)
                .putInt(key.length)
                .putInt(row.length)
                .flip());
        sha.update(key);
        sha.update(row);
    }
}
