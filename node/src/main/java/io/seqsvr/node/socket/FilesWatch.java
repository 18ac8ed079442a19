package io.seqsvr.node.socket;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether this process still gets a file. One that gets none accepts nobody, reaches nobody anew and
 * writes no snapshot; but over the connections that it has its lease, or its leadership, goes on, and nobody takes its
 * place. So it had better end, and begin again with all of its files.
 */
public final class FilesWatch implements AutoCloseable {
    /** For so long it may be a herd of callers that leaves again. */
    static final int LOOKS = 5;

    private static final long BETWEEN_LOOKS_MILLIS = 1_000;
    /** What the system says where its language is English, as the launcher sees to; Java asks for the user's. */
    private static final String NO_FILE = "Too many open files";

    private static final Logger LOG = LoggerFactory.getLogger(FilesWatch.class);

    private final Probe probe;
    private final Consumer<String> end;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(look -> {
        var thread = new Thread(look, "files-watch");
        thread.setDaemon(true);
        return thread;
    });
    private int inVain;
    private boolean hasOpened;

    /** Opens a file, and closes it again. */
    @FunctionalInterface
    interface Probe {
        void open() throws IOException;
    }

    /**
     * Looks at nothing yet.
     *
     * @param end told once, with the reason, that there has been no file for too long
     */
    FilesWatch(Probe probe, Consumer<String> end) {
        this.probe = probe;
        this.end = end;
    }

    /**
     * Looks from now on.
     *
     * @param end told once, on a thread of its own and with the reason, that there has been no file for too long
     */
    public static FilesWatch start(Consumer<String> end) {
        var watch = new FilesWatch(FilesWatch::openOne, end);
        var unused = watch.looks.scheduleWithFixedDelay(
                watch::look, BETWEEN_LOOKS_MILLIS, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private static void openOne() throws IOException {
        FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ).close();
    }

    /** One look. */
    void look() {
        try {
            probe.open();
            inVain = 0;
            hasOpened = true;
        } catch (IOException failed) {
            if (isForWantOfFiles(failed)) {
                without(failed);
            }
        } catch (RuntimeException defect) {
            // Nobody would look again after an exception.
            LOG.error("event=defect where=files-watch error=\"{}\"", defect.getMessage(), defect);
        }
    }

    /** In other languages by elimination: of a file that could be opened before, all else has a class of its own. */
    private boolean isForWantOfFiles(IOException failed) {
        return String.valueOf(failed.getMessage()).contains(NO_FILE)
                || (hasOpened && failed.getClass() == FileSystemException.class);
    }

    private void without(IOException reason) {
        inVain++;
        if (inVain == 1) {
            LOG.warn("event=no_file_left most={} error=\"{}\"", most(), reason.getMessage());
        } else if (inVain == LOOKS) {
            end.accept("for " + (LOOKS - 1) * BETWEEN_LOOKS_MILLIS / 1_000 + " s this process, which may have " + most()
                    + " files and connections, could open no other; others take its place: start it again, with a"
                    + " higher limit (LimitNOFILE, ulimit -n) if callers had them, and look at who has them else");
        }
    }

    private static String most() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Long.toString(unix.getMaxFileDescriptorCount())
                : "so many";
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
