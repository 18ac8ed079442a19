package io.seqsvr.cli;

import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.cli.demo.ChaosResult;
import io.seqsvr.cli.demo.ChaosRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The file of one run, from its first round on: who interrupts the run keeps what it had seen. */
final class RunReport implements ChaosRun.Watcher {
    private final Optional<Path> directory;
    private final RunRecord run;
    private @Nullable Path file;
    private volatile boolean interrupted;

    /** None is written yet; without a directory none ever is. */
    RunReport(Optional<Path> directory, RunRecord run) {
        this.directory = directory;
        this.run = run;
    }

    @Override
    public void soFar(ChaosResult result) {
        try {
            var unused = write(result);
        } catch (IOException failed) {
            throw new UncheckedIOException("the run's file cannot be written", failed);
        }
    }

    /**
     * Writes what the run came to.
     *
     * @param tell is told which file it is, or why there is none
     * @return whether it could be written, if it was to be
     */
    boolean keep(ChaosResult result, Consumer<String> tell) {
        try {
            write(result).ifPresent(written -> tell.accept(written.toString()));
            return true;
        } catch (IOException failed) {
            tell.accept("the run's file cannot be written, so no report will tell of this run: " + failed);
            return false;
        }
    }

    /** The process ends: what comes now of the run is that its nodes go away. */
    void interrupted() {
        interrupted = true;
    }

    /** Writes what the run is now; returns the file, if there is one. */
    Optional<Path> write(ChaosResult result) throws IOException {
        if (directory.isEmpty() || interrupted) {
            return Optional.empty();
        }
        if (file == null) {
            file = RunFiles.write(directory.get(), run.of(result));
        } else {
            RunFiles.rewrite(file, run.of(result));
        }
        return Optional.of(file);
    }

    /** Beside the file, by its name. */
    @Override
    public Optional<Path> logs() {
        return Optional.ofNullable(file)
                .map(written ->
                        written.resolveSibling(written.getFileName().toString().replaceAll("[.]json$", "-logs")));
    }
}
