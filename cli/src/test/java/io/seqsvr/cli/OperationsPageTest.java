package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Launcher;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every command line that docs/operations.md shows in a block of its own can be typed as it stands. */
class OperationsPageTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```sh$(.*?)^ *```$");

    private static List<String> lines() {
        var page = SourceTree.text(Launcher.find().home().resolve("docs").resolve("operations.md"));
        return BLOCK.matcher(page)
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(line -> line.replaceFirst("\\s#.*", "").strip())
                .filter(line -> line.startsWith("./seqsvr "))
                .distinct()
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> itIsACommandLine() {
        return lines().stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    var words = Arrays.asList(line.split("\\s+", -1));
                    assertDoesNotThrow(() -> Main.commandLine()
                            .parseArgs(words.subList(1, words.size()).toArray(String[]::new)));
                }));
    }

    @Test
    void thoseOfBackupAndRestoreAreAmongThem() {
        for (var command : List.of("store backup", "store restore", "store status", "store bootstrap")) {
            assertTrue(lines().stream().anyMatch(line -> line.startsWith("./seqsvr " + command)), command);
        }
    }
}
