package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory gathers runs, of many commands at once perhaps. */
final class RunFilesTest {
    @TempDir
    private Path directory;

    private static List<String> seeds(List<RunFile> runs) {
        return runs.stream().map(RunFile::seed).toList();
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void runsAreReadInTheOrderInWhichTheyBegan() throws IOException {
        RunFiles.write(
                directory,
                new SampleRun(1, 10, 1).begunAt("2026-11-22T12:00:00Z").file());
        RunFiles.write(
                directory,
                new SampleRun(9, 10, 1).begunAt("2026-11-22T11:00:00.250Z").file());
        assertEquals(List.of("9", "1"), seeds(RunFiles.in(directory)));
    }

    @Test
    void theDirectoryIsMadeAndHoldsNothingElse() throws IOException {
        var file = RunFiles.write(directory.resolve("a/b"), new SampleRun(5, 10, 1).file());
        assertEquals(directory.resolve("a/b/20261122T114500Z-5.json"), file);
        directory = directory.resolve("a/b");
        assertEquals(List.of("20261122T114500Z-5.json"), names());
    }

    @Test
    void aRunWithTheSameNameStays() throws IOException {
        RunFiles.write(directory, new SampleRun(5, 10, 1).file());
        RunFiles.write(directory, new SampleRun(5, 20, 1).file());
        assertEquals(List.of("20261122T114500Z-5-2.json", "20261122T114500Z-5.json"), names());
        assertEquals(2, RunFiles.in(directory).size());
    }

    @Test
    void aRunThatHasGoneOnTakesThePlaceOfWhatItWas() throws IOException {
        var file = RunFiles.write(directory, new SampleRun(5, 10, 1).file());
        RunFiles.rewrite(file, new SampleRun(5, 20, 2).file());
        assertEquals(List.of("20261122T114500Z-5.json"), names());
        assertEquals(20, RunFiles.in(directory).get(0).seconds());
    }

    @Test
    void aFileThatIsNoneOfOursIsNamed() throws IOException {
        RunFiles.write(directory, new SampleRun(5, 10, 1).file());
        for (var text : List.of("", "no JSON", "[]", "{\"format\":1", "{}")) {
            var file = Files.writeString(directory.resolve("package.json"), text);
            var problem = assertThrows(UnreadableRunFile.class, () -> RunFiles.in(directory));
            assertTrue(String.valueOf(problem.getMessage()).startsWith(file + ": "), problem::getMessage);
            assertTrue(String.valueOf(problem.getMessage()).contains("out of the directory"), problem::getMessage);
        }
    }

    @Test
    void aFileThatIsNoTextIsNamedToo() throws IOException {
        var file = Files.write(directory.resolve("core.json"), new byte[] {(byte) 0xff, (byte) 0xfe});
        var problem = assertThrows(UnreadableRunFile.class, () -> RunFiles.in(directory));
        assertTrue(String.valueOf(problem.getMessage()).startsWith(file + ": "), problem::getMessage);
    }

    @Test
    void whatIsNoJsonIsNotLookedAt() throws IOException {
        Files.writeString(directory.resolve("report.html"), "<p>");
        Files.writeString(directory.resolve("20261122T114500Z-5.77.unfinished"), "{\"form");
        assertEquals(List.of(), RunFiles.in(directory));
    }

    @Test
    void aDirectoryThatIsNotThereIsAnError() {
        assertThrows(NoSuchFileException.class, () -> RunFiles.in(directory.resolve("nowhere")));
    }

    @Test
    void whatCannotBeWrittenLeavesNothing() throws IOException {
        var taken = Files.writeString(directory.resolve("taken"), "a file");
        assertThrows(IOException.class, () -> RunFiles.write(taken, new SampleRun(5, 10, 1).file()));
        assertEquals(List.of("taken"), names());
    }
}
