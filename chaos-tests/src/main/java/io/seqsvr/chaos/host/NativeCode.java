package io.seqsvr.chaos.host;

import io.seqsvr.chaos.process.Finished;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Sources in C that lie beside a class, compiled where they are needed; and other programs of the system. */
public final class NativeCode {
    private static final String COMPILER = "cc";
    private static final Duration COMPILES_WITHIN = Duration.ofSeconds(60);

    private NativeCode() {}

    /** Why nothing can be compiled here, if so. */
    public static Optional<String> missing() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
            return Optional.of("such faults are made for Linux only");
        }
        return missing(COMPILER, "gcc and libc6-dev");
    }

    /** Why a program cannot be run, if so. */
    public static Optional<String> missing(String program, String packages) {
        for (var directory : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return Optional.empty();
            }
        }
        return Optional.of("there is no " + program + " on the PATH (Debian: " + packages + ")");
    }

    /**
     * Compiles one source.
     *
     * @param beside the class that it lies beside
     * @param directory gets the result, under the source's name without its end
     * @throws IllegalStateException if the compiler does not take it
     */
    public static Path compile(Class<?> beside, String source, Path directory, String... options) {
        var file = directory.resolve(source);
        try (var text = beside.getResourceAsStream(source)) {
            if (text == null) {
                throw new FileNotFoundException(source);
            }
            Files.createDirectories(directory);
            Files.write(file, text.readAllBytes());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        var compiled = directory.resolve(source.substring(0, source.lastIndexOf('.')));
        var line = new ArrayList<>(List.of(COMPILER, "-O2", "-Wall", "-Wextra", "-Werror"));
        line.addAll(List.of(options));
        line.addAll(List.of("-o", compiled.toString(), file.toString(), "-ldl"));
        run(COMPILES_WITHIN, line.toArray(String[]::new));
        return compiled;
    }

    /** Runs a program that must succeed, and returns what it wrote. */
    public static String run(Duration within, String... line) {
        return stdout(Finished.run(new ProcessBuilder(line), within), line);
    }

    /** The same for one that undoes something, also where this JVM ends. */
    public static String runAtTheEnd(Duration within, String... line) {
        return stdout(Finished.runAtTheEnd(new ProcessBuilder(line), within), line);
    }

    private static String stdout(Finished finished, String... line) {
        if (finished.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", line) + ": " + finished);
        }
        return finished.stdout().strip();
    }
}
