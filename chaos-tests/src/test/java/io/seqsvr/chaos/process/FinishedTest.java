package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are run to their end. */
final class FinishedTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    @TempDir
    private Path directory = Path.of("");

    /** A JVM that ends, and has something to undo while its children are killed. */
    static final class Ending {
        private Ending() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> Finished.runAtTheEnd(
                            new ProcessBuilder("sh", "-c", "sleep 1; echo undone > " + arguments[0]), WITHIN)));
            // From now on children are killed when this ends.
            Finished.run(new ProcessBuilder("true"), WITHIN);
            System.exit(0);
        }
    }

    /** A file system was left mounted, as the program that unmounts it was killed with all others. */
    @Test
    void whatUndoesSomethingIsNotKilledWhereThisEnds() throws Exception {
        var undone = directory.resolve("undone");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var ended = Finished.run(
                new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Ending.class.getName(), undone.toString()),
                WITHIN);
        assertEquals(0, ended.exitCode(), ended::toString);
        assertTrue(Files.exists(undone), ended::toString);
        assertEquals("undone", Files.readString(undone).strip());
    }
}
