package io.seqsvr.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checkout that this program was built in, if it is one. */
final class Checkout {
    private static final Logger LOG = LoggerFactory.getLogger(Checkout.class);
    private static final Duration WITHIN = Duration.ofSeconds(30);
    static final String UNKNOWN = "unknown";

    private Checkout() {}

    /**
     * "abc1234"; "abc1234+0f1e2d3c" where not all is committed, with a sum of the changes, as other changes are other
     * code; "unknown" where git does not tell.
     */
    static String commit() {
        try {
            return commit(Launcher.find().home());
        } catch (IllegalStateException | UncheckedIOException noCheckout) {
            LOG.warn("event=commit_unknown error=\"{}\"", noCheckout.getMessage());
            return UNKNOWN;
        }
    }

    /** The same of the checkout in a directory. */
    static String commit(Path home) {
        var head = git(home, "rev-parse", "--short", "HEAD");
        var changes = git(home, "diff", "HEAD");
        var added = git(home, "-c", "core.quotepath=off", "ls-files", "--others", "--exclude-standard");
        for (var said : List.of(head, changes, added)) {
            if (said.exitCode() != 0) {
                LOG.warn(
                        "event=commit_unknown error=\"{}\"",
                        said.stderr().lines().findFirst().orElse(""));
                return UNKNOWN;
            }
        }
        boolean clean = changes.stdout().isBlank() && added.stdout().isBlank();
        return head.stdout().strip() + (clean ? "" : sum(home, changes.stdout(), added.stdout()));
    }

    private static String sum(Path home, String changes, String added) {
        var sum = new CRC32();
        sum.update(changes.getBytes(UTF_8));
        added.lines().forEach(file -> {
            sum.update(file.getBytes(UTF_8));
            try {
                sum.update(Files.readAllBytes(home.resolve(file)));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
        return String.format(Locale.ROOT, "+%08x", sum.getValue());
    }

    private static Finished git(Path home, String... arguments) {
        var line = new ArrayList<String>(List.of("git", "-C", home.toString()));
        line.addAll(List.of(arguments));
        return Finished.run(new ProcessBuilder(line), WITHIN);
    }
}
