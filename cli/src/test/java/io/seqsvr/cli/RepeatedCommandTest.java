package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a report tells to type can be typed. */
final class RepeatedCommandTest {
    @Test
    void aDrawnSeedIsNamed() {
        assertEquals("./seqsvr chaos run --minutes 5 --seed 7", RepeatedCommand.of(words("chaos run --minutes 5"), 7));
        assertEquals("./seqsvr chaos run --seed=3", RepeatedCommand.of(words("chaos run --seed=3"), 7));
    }

    @Test
    void whatWentOnWithAnEarlierRunIsRepeatedAsAWhole() {
        assertEquals(
                "./seqsvr chaos run --cells all --report r --seed 3",
                RepeatedCommand.of(words("chaos run --cells all --report r --resume --seed 3"), 7));
    }

    @Test
    void whatAShellWouldTakeApartIsQuoted() {
        assertEquals(
                "./seqsvr chaos run --dir '/tmp/a b' --report 'it'\\''s' --seed 7",
                RepeatedCommand.of(List.of("chaos", "run", "--dir", "/tmp/a b", "--report", "it's"), 7));
    }

    private static List<String> words(String line) {
        return List.of(line.split(" ", -1));
    }
}
