package io.seqsvr.storesvr.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Makes a database look like one of the version after this. */
public final class AnotherFormat {
    private AnotherFormat() {}

    /** Writes its mark into a database that nobody has open. */
    public static void write(Path database) throws IOException {
        try (var options = new Options();
                var databaseOptions = new DBOptions()) {
            List<ColumnFamilyDescriptor> families = new ArrayList<>();
            for (var name : RocksDB.listColumnFamilies(options, database.toString())) {
                families.add(new ColumnFamilyDescriptor(name));
            }
            try (var newer = RocksDB.open(databaseOptions, database.toString(), families, new ArrayList<>())) {
                newer.put(
                        "format".getBytes(StandardCharsets.US_ASCII),
                        ByteBuffer.allocate(4).putInt(KeyLayout.FORMAT + 1).array());
            }
        } catch (RocksDBException failed) {
            throw new IOException(failed);
        }
    }
}
