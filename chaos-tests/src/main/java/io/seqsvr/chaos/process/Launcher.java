package io.seqsvr.chaos.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The script {@code ./seqsvr} of one source tree.
 *
 * @param home the directory that holds it
 */
public record Launcher(Path home) {
    private static final String SCRIPT = "seqsvr";
    private static final String POM = "pom.xml";
    private static final String HOLDS = "both " + SCRIPT + " and " + POM;
    private static final String HOME_PROPERTY = "seqsvr.home";

    /**
     * The launcher of the tree that the system property {@code seqsvr.home} names, else of the one that the working
     * directory lies in.
     *
     * @throws IllegalStateException if there is none
     */
    public static Launcher find() {
        var named = System.getProperty(HOME_PROPERTY);
        return named == null
                ? above(Path.of("").toAbsolutePath())
                : at(Path.of(named).toAbsolutePath());
    }

    static Launcher at(Path home) {
        if (!isHome(home)) {
            throw new IllegalStateException(HOME_PROPERTY + " is " + home + ", which does not hold " + HOLDS);
        }
        return new Launcher(home);
    }

    static Launcher above(Path start) {
        for (@Nullable Path directory = start; directory != null; directory = directory.getParent()) {
            if (isHome(directory)) {
                return new Launcher(directory);
            }
        }
        throw new IllegalStateException("neither " + start + " nor a directory above it holds " + HOLDS);
    }

    private static boolean isHome(Path directory) {
        return Files.isRegularFile(directory.resolve(SCRIPT)) && Files.isRegularFile(directory.resolve(POM));
    }

    /** A command line of the launcher; it builds nothing, and runs on the Java that runs the caller. */
    public ProcessBuilder command(List<String> arguments) {
        var line = new ArrayList<String>();
        line.add(home.resolve(SCRIPT).toString());
        line.addAll(arguments);
        var command = new ProcessBuilder(line);
        command.environment().put("SEQSVR_NO_BUILD", "1");
        command.environment().put("SEQSVR_JAVA_HOME", System.getProperty("java.home"));
        return command;
    }
}
