package io.seqsvr.chaos.disk;

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

/** The C sources beside this class, compiled where they are needed. */
final class NativeCode {
    private static final String COMPILER = "cc";
    private static final Duration COMPILES_WITHIN = Duration.ofSeconds(60);

    private NativeCode() {}

    /** Why nothing can be compiled here, if so. */
    static Optional<String> missing() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
            return Optional.of("faults of disks are made for Linux only");
        }
        return missing(COMPILER, "gcc and libc6-dev");
    }

    /** Why a program cannot be run, if so. */
    static Optional<String> missing(String program, String packages) {
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
     * @param directory gets the result, under the source's name without its end
     * @throws IllegalStateException if the compiler does not take it
     */
    static Path compile(String source, Path directory, String... options) {
        var file = directory.resolve(source);
        try (var text = NativeCode.class.getResourceAsStream(source)) {
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
    static String run(Duration within, String... line) {
        var finished = Finished.run(new ProcessBuilder(line), within);
        if (finished.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", line) + ": " + finished);
        }
        return finished.stdout().strip();
    }
}
