package io.seqsvr.node.settings;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.function.Executable;

/** Provokes the complaint about a settings file. */
final class Problems {
    private Problems() {}

    static SettingsException of(Executable reading) {
        return assertThrows(SettingsException.class, reading);
    }

    /** What is wrong with a file that is read like this. */
    static List<String> in(String yaml, Consumer<SettingsReader> reading) {
        return of(() -> {
                    var file = SettingsReader.ofText("node.yaml", yaml);
                    reading.accept(file);
                    file.finish();
                })
                .problems();
    }
}
