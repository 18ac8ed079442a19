package io.seqsvr.chaos.report;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The directory in which runs leave their files, one for each. */
public final class RunFiles {
    private static final String ENDING = ".json";

    private RunFiles() {}

    /**
     * Puts the file of a run into a directory, which is made if it is not there. Whoever reads the directory meanwhile
     * sees the whole file or none; a file of another run with the same name stays.
     *
     * @return the file
     * @throws IOException if it cannot be written; then nothing is left of it
     */
    public static Path write(Path directory, RunFile run) throws IOException {
        Files.createDirectories(directory);
        return put(run, free(directory, run.name()));
    }

    /**
     * Puts what a run has become in the place of what it was.
     *
     * @param file what {@link #write} returned for it
     * @throws IOException if it cannot be written; then the file is what it was
     */
    public static void rewrite(Path file, RunFile run) throws IOException {
        var unused = put(run, file);
    }

    private static Path put(RunFile run, Path file) throws IOException {
        // Not with the ending of a run's file, so that no reader takes it for one.
        var unfinished = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".unfinished");
        try {
            Files.writeString(unfinished, run.toJson().encode() + "\n");
            return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static Path free(Path directory, String name) {
        var file = directory.resolve(name + ENDING);
        for (int i = 2; Files.exists(file); i++) {
            file = directory.resolve(name + "-" + i + ENDING);
        }
        return file;
    }

    /**
     * All runs of a directory, in the order in which they began.
     *
     * @throws IOException if the directory is not there, or something in it cannot be read
     * @throws UnreadableRunFile if a {@code .json} file in it is none of a run
     */
    public static List<RunFile> in(Path directory) throws IOException {
        var runs = new ArrayList<RunFile>();
        try (var files = Files.newDirectoryStream(directory, "*" + ENDING)) {
            for (var file : files) {
                runs.add(read(file));
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        runs.sort(Comparator.comparing(RunFile::begun).thenComparing(RunFile::seed));
        return List.copyOf(runs);
    }

    private static RunFile read(Path file) throws IOException {
        try {
            return RunFile.fromJson(file.toString(), new JsonObject(Files.readString(file)));
        } catch (DecodeException | CharacterCodingException unreadable) {
            throw new UnreadableRunFile(
                    file.toString(),
                    "it is no JSON object; take it out of the directory, where only runs may leave .json files ("
                            + firstLine(unreadable) + ")");
        }
    }

    private static String firstLine(Exception unreadable) {
        return String.valueOf(unreadable.getMessage()).lines().findFirst().orElse("");
    }
}
