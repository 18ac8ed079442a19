package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The program without some guards. Nothing in it can take a guard away, so its one constant is compiled anew, with
 * another value, and is found before the one that is shipped.
 */
final class TestBuild {
    private static final String CONSTANT = "ALL = new Guards(EnumSet.noneOf(Guard.class));";

    private TestBuild() {}

    /**
     * Compiles it.
     *
     * @param directory gets the classes
     * @param missing names of the guards that are taken away
     * @return what Java needs besides, for {@code SEQSVR_JAVA_OPTS}
     */
    static String without(Path directory, List<String> missing) throws IOException {
        var sources = Launcher.find().home().resolve("core/src/main/java/io/seqsvr/core/guard");
        var text = Files.readString(sources.resolve("Guards.java"));
        if (!text.contains(CONSTANT)) {
            throw new IllegalStateException("Guards.java does not hold \"" + CONSTANT + "\" any more");
        }
        var named = missing.stream().map(guard -> "Guard." + guard).collect(Collectors.joining(", "));
        var changed = Files.createDirectories(directory.resolve("source")).resolve("Guards.java");
        Files.writeString(changed, text.replace(CONSTANT, "ALL = without(java.util.List.of(" + named + "));"));
        var classes = Files.createDirectories(directory.resolve("classes"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        Stream.of(
                                        "--release",
                                        "17",
                                        "-proc:none",
                                        "-d",
                                        classes.toString(),
                                        changed.toString(),
                                        sources.resolve("Guard.java").toString())
                                .toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException("the guards do not compile without " + missing);
        }
        return "-Xbootclasspath/a:" + classes;
    }
}
