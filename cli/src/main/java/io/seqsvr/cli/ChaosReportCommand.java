package io.seqsvr.cli;

import io.seqsvr.chaos.report.CommitRuns;
import io.seqsvr.chaos.report.HtmlReport;
import io.seqsvr.chaos.report.JUnitXml;
import io.seqsvr.chaos.report.MarkdownTable;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.UnreadableRunFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Many chaos runs as one report. */
@Command(
        name = "report",
        description = {
            "Puts together what 'chaos run --report' left in a directory: a table of all that was tried, how often,"
                    + " what came of it and what users waited, and a page with every run over time.",
            "Runs of different commits are not mixed. Ends as the worst of the runs did: with 10, 11, 12 or 0."
        })
final class ChaosReportCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = "chaos-reports",
            description = "Where the runs left their files (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("chaos-reports");

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page goes, which needs no other file (default: DIR/report.html).")
    private Optional<Path> html = Optional.empty();

    @Option(names = "--junit", paramLabel = "FILE", description = "Writes JUnit XML too, for CI systems.")
    private Optional<Path> junit = Optional.empty();

    @Option(names = "--markdown", paramLabel = "FILE", description = "Writes the table as Markdown too.")
    private Optional<Path> markdown = Optional.empty();

    @Option(
            names = "--commit",
            paramLabel = "C",
            description = "Whose runs, as their files name it (default: that of the newest run).")
    private Optional<String> commit = Optional.empty();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** There is nothing to report, or nowhere to put it; the message says what to do. */
    private static final class NoReportException extends Exception {
        private static final long serialVersionUID = 1;

        private NoReportException(String message) {
            super(message);
        }
    }

    @Override
    public Integer call() {
        try {
            var runs = runs();
            write(html.orElseGet(() -> directory.resolve("report.html")), HtmlReport.of(runs));
            if (junit.isPresent()) {
                write(junit.get(), JUnitXml.of(runs));
            }
            if (markdown.isPresent()) {
                write(markdown.get(), MarkdownTable.of(runs));
            }
            var report = new ChaosReport(runs);
            output.print(spec.commandLine().getOut(), report::text, report::json);
            return ChaosReport.exitCode(runs.verdict());
        } catch (NoReportException | UnreadableRunFile none) {
            spec.commandLine().getErr().println("seqsvr: " + none.getMessage());
            return ExitCode.FAILED;
        }
    }

    private CommitRuns runs() throws NoReportException {
        var commits = commits();
        if (commits.isEmpty()) {
            throw new NoReportException(directory + " holds no run; " + advice());
        }
        var chosen = commit.orElse(commits.get(0).commit());
        var others = commits.stream()
                .map(CommitRuns::commit)
                .filter(each -> !each.equals(chosen))
                .collect(Collectors.joining(", "));
        var runs = commits.stream()
                .filter(each -> each.commit().equals(chosen))
                .findFirst()
                .orElseThrow(() -> new NoReportException("--commit is '" + chosen + "', and " + directory
                        + " holds no run of it; there are runs of " + others));
        if (!others.isEmpty()) {
            say("the runs of " + chosen + "; --commit shows those of " + others);
        }
        return runs;
    }

    private List<CommitRuns> commits() throws NoReportException {
        if (!Files.isDirectory(directory)) {
            throw new NoReportException(
                    directory + (Files.exists(directory) ? " is no directory; " : " is not there; ") + advice());
        }
        try {
            return CommitRuns.of(RunFiles.in(directory));
        } catch (IOException unreadable) {
            throw new NoReportException(directory + " cannot be read: " + words(unreadable));
        }
    }

    private String advice() {
        return "'./seqsvr chaos run --report " + directory + "' makes one";
    }

    private void write(Path file, String text) throws NoReportException {
        try {
            var parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(file, text);
        } catch (IOException unwritable) {
            throw new NoReportException(
                    file + " cannot be written: " + words(unwritable) + "; name another file or free the place");
        }
        say("wrote " + file);
    }

    /** Some of its messages are nothing but the name of the file. */
    private static String words(IOException failure) {
        return failure instanceof AccessDeniedException
                ? "permission is denied to " + failure.getMessage()
                : String.valueOf(failure.getMessage());
    }

    private void say(String line) {
        spec.commandLine().getErr().println("chaos: " + line);
    }
}
