package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The table that a document takes over as it is. */
final class MarkdownTableTest {
    @Test
    void aTableHasALineForEachCellAndSaysWhatWasSkipped() {
        var file =
                new SampleRun(5, 60, 4).skips("cut-allocator", "no namespaces").file();
        var lines = MarkdownTable.of(new CommitRuns("abc1234", List.of(file)))
                .lines()
                .toList();
        assertTrue(lines.get(0).startsWith("Commit abc1234, 1 runs, 60 s, 4 rounds, "), lines.get(0));
        assertTrue(lines.get(0).endsWith(" 32 straddling pairs, 0 violations: PASS."), lines.get(0));
        var round = file.rounds().get(0);
        var row = lines.stream()
                .filter(line -> line.startsWith("| " + round.cell() + " |"))
                .toList();
        assertEquals(1, row.size());
        assertTrue(
                row.get(0)
                        .matches("\\| \\S.* \\| PASS( \\| \\d+){2}( \\| 0){3}( \\| .* m?s){2}"
                                + " \\| [012] of 2,400 \\| 5 \\|"),
                row.get(0));
        assertEquals("| cut-allocator | no namespaces |", lines.get(lines.size() - 1));
    }

    @Test
    void wordsStayInTheirCell() {
        var file = new SampleRun(5, 60, 4)
                .skips("a|b", "no <loop>\ndevices in `x_y`")
                .file();
        var table = MarkdownTable.of(new CommitRuns("abc1234", List.of(file)));
        assertTrue(table.endsWith("| a\\|b | no \\<loop\\> devices in \\`x\\_y\\` |\n"), table);
    }
}
