package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import java.util.regex.Pattern;

/** What a command said, to be judged. Whatever it was, it showed its user no stack trace and no class of ours. */
record Spoken(Finished finished) {
    /** What a library says of a machine that is slow. */
    private static final Pattern WARNING = Pattern.compile("(?m)^\\d{4}-\\d\\d-\\d\\dT\\S+ WARN .*\\R?");

    private static final Pattern INNARDS = Pattern.compile("\\bat [\\w.$]+\\(|Exception");

    Spoken {
        assertFalse(INNARDS.matcher(finished.stdout()).find(), finished::toString);
        assertFalse(INNARDS.matcher(finished.stderr()).find(), finished::toString);
    }

    /** Succeeded with exactly this one line. */
    void says(String line) {
        assertEquals(line, answer());
    }

    /** Succeeded with one line and nothing on standard error. */
    String answer() {
        assertEquals(0, finished.exitCode(), finished::toString);
        assertEquals("", errors(), finished::toString);
        assertEquals(1, finished.stdout().lines().count(), finished::toString);
        return finished.stdout().strip();
    }

    /** Failed with one line on standard error that names something. */
    void failsNaming(int exitCode, String named) {
        assertEquals(exitCode, finished.exitCode(), finished::toString);
        assertEquals(
                1,
                errors().lines().filter(line -> !line.isBlank()).count(),
                () -> "not one line of reason: " + finished);
        assertTrue(finished.stderr().contains(named), () -> "no word about " + named + ": " + finished);
    }

    private String errors() {
        return WARNING.matcher(finished.stderr()).replaceAll("");
    }

    /** Was refused as a command line: the reason and perhaps the usage on standard error, nothing on the other. */
    void isUsageError() {
        assertEquals(2, finished.exitCode(), finished::toString);
        assertEquals("", finished.stdout(), finished::toString);
        assertFalse(finished.stderr().isBlank(), finished::toString);
    }
}
