package io.seqsvr.chaos.spec;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tlc2.TLC;

/**
 * The model checker, as a process of its own: TLC keeps its state in statics, and unpacks its standard modules into the
 * temporary directory of its process.
 *
 * @param specification the directory that holds the modules
 * @param output where each run leaves what it printed
 */
record Tlc(Path specification, Path output) {
    /** Far more than any run needs on an idle machine: a busy one must not fail a correct model. */
    private static final Duration LIMIT = Duration.ofMinutes(8);

    private static final Pattern DISTINCT = Pattern.compile("(\\d+) distinct states found, 0 states left on queue");
    private static final Pattern VIOLATED = Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern STATE = Pattern.compile("(?m)^State \\d+:");

    /**
     * What TLC said.
     *
     * @param exitCode 0: no error; 12: an invariant was violated; 13: a property of steps was; others: TLC failed
     * @param text all of its output
     */
    record Verdict(int exitCode, String text) {
        boolean clean() {
            return exitCode == 0 && text.contains("No error has been found");
        }

        /** States that were found, 0 if the search did not end. */
        long distinctStates() {
            var found = DISTINCT.matcher(text);
            return found.find() ? Long.parseLong(found.group(1)) : 0;
        }

        /** Names of the promises that were broken. */
        List<String> violated() {
            return VIOLATED.matcher(text)
                    .results()
                    .map(result -> result.group(1))
                    .toList();
        }

        /** Steps of the counterexample. */
        long steps() {
            return Math.max(0, STATE.matcher(text).results().count() - 1);
        }
    }

    /**
     * Checks a module, and keeps TLC's classes in a form in which the runs after this one load them sooner: most of
     * these take no longer than their start.
     */
    Verdict checkFirst(String run, String module, Configuration configuration)
            throws IOException, InterruptedException {
        Files.createDirectories(output);
        Files.deleteIfExists(archive());
        return check(run, module, configuration, "-XX:ArchiveClassesAtExit=" + archive());
    }

    /**
     * Checks a module.
     *
     * @param run names the run's output
     * @throws IllegalStateException if TLC does not end in time
     */
    Verdict check(String run, String module, Configuration configuration) throws IOException, InterruptedException {
        return check(run, module, configuration, "-XX:SharedArchiveFile=" + archive());
    }

    private Path archive() {
        return output.resolve("tlc.jsa");
    }

    private Verdict check(String run, String module, Configuration configuration, String classes)
            throws IOException, InterruptedException {
        var directory = Files.createDirectories(output.resolve(run));
        var config = Files.writeString(directory.resolve(run + ".cfg"), configuration.text());
        var text = directory.resolve("tlc.txt");
        var command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        // Most runs are over before the better compiler has paid for itself.
                        "-XX:TieredStopAtLevel=1",
                        classes,
                        // What it has to say of the archive does not belong to what TLC prints.
                        "-Xlog:disable",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        jar().toString(),
                        TLC.class.getName(),
                        "-metadir",
                        directory.resolve("states").toString(),
                        "-config",
                        config.toString(),
                        "-workers",
                        "1",
                        module)
                .directory(specification.toFile())
                .redirectErrorStream(true)
                .redirectOutput(text.toFile());
        var process = command.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("TLC did not end within " + LIMIT + "; see " + text);
            }
        } finally {
            process.destroyForcibly();
        }
        return new Verdict(process.exitValue(), Files.readString(text));
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("TLC's artifact has no place", impossible);
        }
    }
}
