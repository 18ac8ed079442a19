package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.LocalNode;
import java.io.IOException;
import java.nio.file.Files;

/** What a process has written of what it did. */
final class NodeLog {
    private NodeLog() {}

    /** In how many lines these words stand. */
    static long count(LocalNode node, String words) throws MeasuringFailed {
        try (var lines = Files.lines(node.log())) {
            return lines.filter(line -> line.contains(words)).count();
        } catch (IOException unreadable) {
            throw new MeasuringFailed("the log of " + node.name() + " cannot be read: " + unreadable.getMessage());
        }
    }
}
