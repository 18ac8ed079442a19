package io.seqsvr.chaos.spec;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * One of the configurations in docs/spec, as TLC reads it.
 *
 * @param name of the file, without its ending
 * @param text its content
 */
record Configuration(String name, String text) {
    private static final Pattern MISSING = Pattern.compile("(?m)^    Missing = \\{[^}]*}$");
    private static final Pattern PROMISES = Pattern.compile("(?m)^(?:INVARIANTS|PROPERTIES)\\n(?:    \\w+\\n)+");

    static Configuration read(Path directory, String name) {
        try {
            return new Configuration(name, Files.readString(directory.resolve(name + ".cfg")));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The same without some guards, held against one promise alone, so that what fails is what was named. */
    Configuration without(Set<String> guards, String section, String promise) {
        var missing =
                new TreeSet<>(guards).stream().map(guard -> '"' + guard + '"').collect(joining(", "));
        if (!MISSING.matcher(text).find() || !PROMISES.matcher(text).find()) {
            throw new IllegalStateException(
                    name + ".cfg must have a line Missing = {...} and a section INVARIANTS or PROPERTIES");
        }
        var mutated = MISSING.matcher(text).replaceFirst("    Missing = {" + missing + "}");
        return new Configuration(name, PROMISES.matcher(mutated).replaceAll("") + section + "\n    " + promise + "\n");
    }
}
