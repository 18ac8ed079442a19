package io.seqsvr.cli;

import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which settings file to read. */
final class ConfigOption {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "Settings file (YAML); commented examples are in ops/.")
    private Path file = Path.of("");

    Path file() {
        return file;
    }

    SettingsReader open() throws SettingsException {
        return SettingsReader.ofFile(file);
    }
}
