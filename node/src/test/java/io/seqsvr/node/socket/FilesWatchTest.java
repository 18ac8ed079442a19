package io.seqsvr.node.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a process has gone without files for too long. */
final class FilesWatchTest {
    private Optional<IOException> trouble = Optional.empty();
    private final List<String> ends = new ArrayList<>();
    private final FilesWatch watch = new FilesWatch(
            () -> {
                if (trouble.isPresent()) {
                    throw trouble.get();
                }
            },
            ends::add);

    private void noFileIsLeft() {
        trouble = Optional.of(new FileSystemException("/dev/null", null, "Too many open files"));
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }

    @Test
    void whoHasNoFileForSomeSecondsIsToldToEndOnce() {
        look(10);
        noFileIsLeft();
        look(FilesWatch.LOOKS - 1);
        assertEquals(List.of(), ends);
        look(10);
        assertEquals(1, ends.size());
        assertTrue(ends.get(0).startsWith("for 4 s this process, which may have "), ends::toString);
        assertTrue(ends.get(0).contains("LimitNOFILE"), ends::toString);
    }

    @Test
    void theSystemMaySayItInAnyLanguage() {
        look(1);
        trouble = Optional.of(new FileSystemException("/dev/null", null, "Zu viele offene Dateien"));
        look(FilesWatch.LOOKS);
        assertEquals(1, ends.size());
    }

    /** Where a sandbox forbids it, for example. */
    @Test
    void whatCouldNeverBeOpenedSaysNothingInALanguageThatIsNotKnown() {
        trouble = Optional.of(new FileSystemException("/dev/null", null, "Die Operation ist nicht erlaubt"));
        look(10);
        assertEquals(List.of(), ends);
    }

    @Test
    void whoGetsOneInBetweenGoesOn() {
        for (int i = 0; i < 10; i++) {
            noFileIsLeft();
            look(FilesWatch.LOOKS - 1);
            trouble = Optional.empty();
            look(1);
        }
        assertEquals(List.of(), ends);
    }

    @Test
    void anyOtherTroubleSaysNothingOfFiles() {
        look(1);
        trouble = Optional.of(new NoSuchFileException("/dev/null"));
        look(10);
        trouble = Optional.of(new IOException());
        look(10);
        assertEquals(List.of(), ends);
    }
}
