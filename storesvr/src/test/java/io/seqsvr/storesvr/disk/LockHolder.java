package io.seqsvr.storesvr.disk;

import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.nio.file.Path;

/** A second process that opens a data directory, says so, and holds it until its input ends. */
final class LockHolder {
    static final String HOLDING = "holding";

    private LockHolder() {}

    /** Starts one on this JVM's class path; its output is the reader's to wait for. */
    static Process start(Path data) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        data.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) throws IOException, StartupException {
        try (var directory = DataDirectory.open(Path.of(arguments[0]))) {
            System.out.println(HOLDING + " " + directory.mark().getPeerId());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Until the test closes the pipe, or dies.
            }
        }
    }
}
