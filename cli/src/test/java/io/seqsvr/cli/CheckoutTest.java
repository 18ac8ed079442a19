package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ran is told apart from other code. */
final class CheckoutTest {
    @TempDir
    private Path home = Path.of("");

    private void git(String... arguments) {
        var line = new ArrayList<>(
                List.of("git", "-C", home.toString(), "-c", "user.name=Ann", "-c", "user.email=ann@example.com"));
        line.addAll(List.of(arguments));
        var ended = Finished.run(new ProcessBuilder(line), Duration.ofSeconds(30));
        assertEquals(0, ended.exitCode(), ended::toString);
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(home.resolve(file), text);
    }

    @BeforeEach
    void commitSomething() throws IOException {
        git("init", "--quiet");
        write("known", "one");
        git("add", ".");
        git("commit", "--quiet", "--message=One", "--no-gpg-sign");
    }

    @Test
    void aCleanCheckoutIsItsCommit() {
        assertTrue(Checkout.commit(home).matches("[0-9a-f]{4,40}"), () -> Checkout.commit(home));
    }

    @Test
    void otherChangesAreOtherCode() throws IOException {
        var clean = Checkout.commit(home);
        write("known", "two");
        var changed = Checkout.commit(home);
        assertTrue(changed.matches(clean + "\\+[0-9a-f]{8}"), changed);
        assertEquals(changed, Checkout.commit(home));
        write("known", "three");
        assertNotEquals(changed, Checkout.commit(home));
        write("known", "one");
        assertEquals(clean, Checkout.commit(home));
    }

    @Test
    void soIsWhatGitDoesNotKnowYet() throws IOException {
        write("new", "one");
        var added = Checkout.commit(home);
        write("new", "two");
        assertNotEquals(added, Checkout.commit(home));
    }

    @Test
    void whereNothingWasCommittedTheCommitIsUnknown(@TempDir Path elsewhere) {
        assertEquals(Checkout.UNKNOWN, Checkout.commit(elsewhere));
    }
}
