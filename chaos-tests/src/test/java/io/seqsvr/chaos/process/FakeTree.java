package io.seqsvr.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A source tree whose launcher is a few lines of shell: what the harness does with processes needs no server. */
final class FakeTree {
    private FakeTree() {}

    static Launcher whoseLauncherDoes(Path home, String... lines) throws IOException {
        Files.createFile(home.resolve("pom.xml"));
        var script = Files.createFile(
                home.resolve("seqsvr"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        return Launcher.at(home);
    }
}
