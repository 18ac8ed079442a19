package io.seqsvr.storesvr.rocks;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoredTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The live database of one replica. Every applied entry is one batch with its rows and its (term, index); RocksDB's own
 * write-ahead log is off, as the Raft log is that log. So the live files mean nothing after a crash: each start makes
 * them anew from the last checkpoint.
 */
public final class StoreDatabase implements AutoCloseable {
    private static final String DEFAULT = "default";
    private static final long WRITE_BUFFER_BYTES = 8L << 20;
    /** So many fill up, one after the other, before writes wait for a checkpoint that hangs. */
    private static final int WRITE_BUFFERS = 4;

    private final DBOptions options;
    private final ColumnFamilyOptions familyOptions;
    private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    private final RocksDB db;
    private final List<ColumnFamilyHandle> families;
    private final Object checkpointing = new Object();
    private boolean closed;

    private StoreDatabase(Path path) throws RocksDBException {
        options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAvoidFlushDuringShutdown(true)
                .setAtomicFlush(true)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxOpenFiles(64);
        familyOptions =
                new ColumnFamilyOptions().setWriteBufferSize(WRITE_BUFFER_BYTES).setMaxWriteBufferNumber(WRITE_BUFFERS);
        var descriptors = new ArrayList<ColumnFamilyDescriptor>();
        for (var name :
                List.of(DEFAULT, KeyLayout.NAMESPACES, KeyLayout.SESSIONS, KeyLayout.SEGMENTS, KeyLayout.TABLES)) {
            descriptors.add(new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), familyOptions));
        }
        families = new ArrayList<>();
        db = RocksDB.open(options, path.toString(), descriptors, families);
    }

    /**
     * Unpacks and loads the native library; once per process, before anything else here.
     *
     * @throws IOException if that cannot be done: a sentence about the library, with what to do
     */
    public static void loadLibrary(Path directory) throws IOException {
        RocksLibrary.load(directory, to -> {
            NativeLibraryLoader.getInstance().loadLibrary(to);
            RocksDB.loadLibrary();
        });
    }

    /** Opens a database, or makes an empty one. */
    public static StoreDatabase open(Path path) throws IOException {
        try {
            Files.createDirectories(path);
            var database = new StoreDatabase(path);
            try {
                database.checkFormat();
                return database;
            } catch (RocksDBException | IOException refused) {
                database.close();
                throw refused;
            }
        } catch (RocksDBException broken) {
            throw failed("open " + path, broken);
        }
    }

    private void checkFormat() throws RocksDBException, IOException {
        var format = db.get(KeyLayout.FORMAT_KEY);
        if (format == null) {
            db.put(
                    writeOptions,
                    KeyLayout.FORMAT_KEY,
                    ByteBuffer.allocate(4).putInt(KeyLayout.FORMAT).array());
        } else if (ByteBuffer.wrap(format).getInt() != KeyLayout.FORMAT) {
            throw new OtherFormatException(ByteBuffer.wrap(format).getInt());
        }
    }

    /** Reads all rows into an empty state. */
    public void load(StoreState state) throws IOException {
        try {
            var cluster = db.get(KeyLayout.CLUSTER_KEY);
            if (cluster != null) {
                state.apply(new StoreChange.PutCluster(RowCodec.cluster(cluster)));
            }
            loadRows(namespaces(), (key, row) -> new StoreChange.PutNamespace(RowCodec.namespace(row)), state);
            loadRows(sessions(), (key, row) -> new StoreChange.PutSession(RowCodec.session(row)), state);
            loadRows(
                    segments(),
                    (key, row) -> new StoreChange.PutSegment(RowCodec.segment(KeyLayout.segmentId(key), row)),
                    state);
            loadRows(
                    tables(),
                    (key, row) ->
                            new StoreChange.PutTable(new StoredTable(KeyLayout.segmentId(key), RowCodec.table(row))),
                    state);
        } catch (RocksDBException broken) {
            throw failed("read", broken);
        }
    }

    @FunctionalInterface
    private interface RowReader {
        StoreChange read(byte[] key, byte[] row) throws InvalidProtocolBufferException;
    }

    private void loadRows(ColumnFamilyHandle family, RowReader reader, StoreState state)
            throws RocksDBException, InvalidProtocolBufferException {
        try (var rows = db.newIterator(family)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                state.apply(reader.read(rows.key(), rows.value()));
            }
            rows.status();
        }
    }

    /** Reads all table files, and compares their checksums. */
    public void verifyChecksums() throws IOException {
        try {
            db.verifyChecksum();
        } catch (RocksDBException broken) {
            throw failed("read", broken);
        }
    }

    /** How far the log was applied when the newest row was written. */
    public Applied applied() throws IOException {
        try {
            var value = db.get(KeyLayout.APPLIED_KEY);
            return value == null ? Applied.NOTHING : KeyLayout.applied(value);
        } catch (RocksDBException broken) {
            throw failed("read", broken);
        }
    }

    /** Writes the rows of one entry together with its place in the log: all or nothing. */
    public void write(List<StoreChange> changes, Applied applied) throws IOException {
        try (var batch = new WriteBatch()) {
            for (var change : changes) {
                add(batch, change);
            }
            batch.put(KeyLayout.APPLIED_KEY, KeyLayout.applied(applied));
            db.write(writeOptions, batch);
        } catch (RocksDBException broken) {
            throw failed("write", broken);
        }
    }

    private void add(WriteBatch batch, StoreChange change) throws RocksDBException {
        if (change instanceof StoreChange.PutSegment put) {
            batch.put(segments(), KeyLayout.segment(put.segment().id()), RowCodec.encode(put.segment()));
        } else if (change instanceof StoreChange.PutSession put) {
            batch.put(sessions(), KeyLayout.session(put.session().id()), RowCodec.encode(put.session()));
        } else if (change instanceof StoreChange.RemoveSession remove) {
            batch.delete(sessions(), KeyLayout.session(remove.session()));
        } else if (change instanceof StoreChange.PutNamespace put) {
            batch.put(namespaces(), KeyLayout.namespace(put.namespace().id()), RowCodec.encode(put.namespace()));
        } else if (change instanceof StoreChange.PutTable put) {
            var stored = put.table();
            batch.put(tables(), KeyLayout.segment(stored.segment()), RowCodec.encode(stored.table()));
        } else if (change instanceof StoreChange.RemoveTable remove) {
            batch.delete(tables(), KeyLayout.segment(remove.segment()));
        } else if (change instanceof StoreChange.PutCluster put) {
            batch.put(KeyLayout.CLUSTER_KEY, RowCodec.encode(put.cluster()));
        } else {
            throw new IllegalStateException("no row for " + change);
        }
    }

    /**
     * Writes a complete, consistent copy of some moment between two writes, which go on meanwhile, to a directory that
     * does not exist yet; unchanged files are hard links.
     *
     * @return how far the log was applied in the copy
     */
    public Applied checkpoint(Path target) throws IOException {
        // A database that is closed under a checkpoint ends the process; nothing but closing waits for it.
        synchronized (checkpointing) {
            if (closed) {
                throw new IOException("the database was closed before the checkpoint began");
            }
            try (var checkpoint = Checkpoint.create(db)) {
                checkpoint.createCheckpoint(target.toString());
            } catch (RocksDBException broken) {
                throw failed("write checkpoint " + target, broken);
            }
        }
        return appliedIn(target);
    }

    private static Applied appliedIn(Path checkpoint) throws IOException {
        try (var options = new Options().setMaxOpenFiles(64);
                var copy = RocksDB.openReadOnly(options, checkpoint.toString())) {
            var value = copy.get(KeyLayout.APPLIED_KEY);
            return value == null ? Applied.NOTHING : KeyLayout.applied(value);
        } catch (RocksDBException broken) {
            throw failed("read checkpoint " + checkpoint, broken);
        }
    }

    @Override
    public void close() {
        synchronized (checkpointing) {
            closed = true;
        }
        families.forEach(ColumnFamilyHandle::close);
        db.close();
        writeOptions.close();
        familyOptions.close();
        options.close();
    }

    private ColumnFamilyHandle namespaces() {
        return families.get(1);
    }

    private ColumnFamilyHandle sessions() {
        return families.get(2);
    }

    private ColumnFamilyHandle segments() {
        return families.get(3);
    }

    private ColumnFamilyHandle tables() {
        return families.get(4);
    }

    private static IOException failed(String what, RocksDBException cause) {
        var why = "RocksDB cannot " + what + ": " + cause.getMessage();
        var status = cause.getStatus();
        if (status != null && status.getCode() == Status.Code.IOError) {
            // As Java tells of what the system refuses.
            var refused = new FileSystemException(null, null, why);
            refused.initCause(cause);
            return refused;
        }
        return new IOException(why, cause);
    }
}
