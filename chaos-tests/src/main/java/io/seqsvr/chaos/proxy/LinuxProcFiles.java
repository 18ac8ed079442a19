package io.seqsvr.chaos.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of the running system. */
final class LinuxProcFiles implements ProcFiles {
    private static final Path PROC = Path.of("/proc");

    @Override
    public List<String> tcpSockets() {
        var lines = new ArrayList<String>();
        for (String name : List.of("tcp", "tcp6")) {
            var file = PROC.resolve("net").resolve(name);
            try {
                var all = Files.readAllLines(file);
                lines.addAll(all.subList(Math.min(1, all.size()), all.size()));
            } catch (NoSuchFileException without) {
                if (name.equals("tcp")) {
                    throw new UncheckedIOException("no " + file + "; callers are known by name on Linux only", without);
                }
                // A machine without IPv6.
            } catch (IOException failed) {
                throw new UncheckedIOException("cannot read " + file, failed);
            }
        }
        return lines;
    }

    @Override
    public List<String> descriptors(long pid) {
        var directory = PROC.resolve(Long.toString(pid)).resolve("fd");
        var targets = new ArrayList<String>();
        try (var descriptors = Files.newDirectoryStream(directory)) {
            for (Path descriptor : descriptors) {
                try {
                    targets.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    // Not the socket in question, whose connection is open.
                }
            }
        } catch (NoSuchFileException gone) {
            return List.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot read " + directory + "; it takes the same user as the process, or root", failed);
        }
        return targets;
    }
}
