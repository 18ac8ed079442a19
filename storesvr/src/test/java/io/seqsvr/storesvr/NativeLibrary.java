package io.seqsvr.storesvr;

import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;

/** RocksDB's native library for tests that open a database without a StoreSvr around it. */
public final class NativeLibrary {
    private NativeLibrary() {}

    /** Unpacks it below this module's build directory; a second call does nothing. */
    public static void load() throws IOException {
        StoreDatabase.loadLibrary(Path.of("target", "native-test"));
    }
}
