package io.seqsvr.storesvr.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The native library of RocksDB, on its way from the jar into this process. */
final class RocksLibrary {
    private RocksLibrary() {}

    /** Puts the library's file into a directory and maps it. */
    @FunctionalInterface
    interface Loader {
        void load(String directory) throws IOException;
    }

    /**
     * Has it loaded.
     *
     * @throws IOException if that cannot be done: a sentence that says what to do
     */
    static void load(Path directory, Loader loader) throws IOException {
        try {
            Files.createDirectories(directory);
            loader.load(directory.toString());
        } catch (LinkageError refused) {
            throw new IOException(
                    "the native library in " + directory + " cannot be loaded: " + refused.getMessage()
                            + "; if that file system is mounted noexec, mount it without or have the data elsewhere; if"
                            + " the system lacks another library, install that",
                    refused);
        } catch (IOException | RuntimeException failed) {
            // RocksDB tells of a file that it cannot remove or make, or of a machine that it is not built for, like
            // this.
            throw new IOException(
                    "the native library cannot be unpacked to " + directory + ": " + failed.getMessage()
                            + "; free space there or mend the device",
                    failed);
        }
    }
}
