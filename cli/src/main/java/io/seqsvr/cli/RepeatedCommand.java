package io.seqsvr.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command line that a shell takes as it stands, for whoever wants to see a run once more. */
final class RepeatedCommand {
    /** What no shell reads anything into. */
    private static final Pattern PLAIN = Pattern.compile("[\\w./:=,+@%-]+");

    private RepeatedCommand() {}

    /**
     * Repeats a run.
     *
     * @param words as they were typed, without the program
     * @param seed of the run, if they name none
     */
    static String of(List<String> words, long seed) {
        boolean named = words.stream().anyMatch(word -> word.startsWith("--seed"));
        return Stream.of(
                        Stream.of("./seqsvr"),
                        words.stream().filter(word -> !word.equals("--resume")),
                        named ? Stream.<String>empty() : Stream.of("--seed", Long.toString(seed)))
                .flatMap(part -> part)
                .map(RepeatedCommand::quoted)
                .collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
