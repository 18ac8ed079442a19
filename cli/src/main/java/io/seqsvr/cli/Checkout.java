package io.seqsvr.cli;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checkout that this program was built in, if it is one. */
final class Checkout {
    private static final Logger LOG = LoggerFactory.getLogger(Checkout.class);
    private static final Duration WITHIN = Duration.ofSeconds(30);
    static final String UNKNOWN = "unknown";

    private Checkout() {}

    /** "abc1234"; "abc1234+changes" where not all is committed; "unknown" where git does not tell. */
    static String commit() {
        try {
            var home = Launcher.find().home();
            var head = git(home, "rev-parse", "--short", "HEAD");
            var changes = git(home, "status", "--porcelain");
            if (head.exitCode() == 0 && changes.exitCode() == 0) {
                return head.stdout().strip() + (changes.stdout().isBlank() ? "" : "+changes");
            }
            LOG.warn(
                    "event=commit_unknown error=\"{}\"",
                    head.stderr().lines().findFirst().orElse(""));
        } catch (IllegalStateException | UncheckedIOException noCheckout) {
            LOG.warn("event=commit_unknown error=\"{}\"", noCheckout.getMessage());
        }
        return UNKNOWN;
    }

    private static Finished git(Path home, String... arguments) {
        var line = new ArrayList<String>(List.of("git", "-C", home.toString()));
        line.addAll(List.of(arguments));
        return Finished.run(new ProcessBuilder(line), WITHIN);
    }
}
