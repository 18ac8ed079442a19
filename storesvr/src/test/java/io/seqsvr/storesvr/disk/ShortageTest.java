package io.seqsvr.storesvr.disk;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

/** What is missing for a while is told apart from what is damaged: the advice for this costs data that is whole. */
class ShortageTest {
    @Test
    void isSeenWhereverASystemCallHasFailedForIt() {
        assertTrue(Shortage.explains(new FileSystemException("db/CURRENT", "n1/CURRENT", "No space left on device")));
        assertTrue(Shortage.explains(new IOException(
                "RocksDB cannot open db",
                new IOException("While open a file for appending: db/MANIFEST-000005: Too many open files"))));
        assertTrue(Shortage.explains(new IllegalStateException(new IOException("db: Read-only file system"))));
    }

    @Test
    void isNoneWhereBytesAreWrong() {
        assertFalse(Shortage.explains(new IOException("block checksum mismatch: stored 1, computed 2")));
        assertFalse(Shortage.explains(new IOException("CURRENT file does not end with newline")));
    }
}
