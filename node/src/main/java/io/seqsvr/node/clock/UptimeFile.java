package io.seqsvr.node.clock;

import io.seqsvr.core.lease.ClockReading;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The boot-time clock as a file shows it: seconds with two decimals, up to the first blank. The file is kept open; any
 * thread may read.
 */
final class UptimeFile {
    private static final int MOST_BYTES = 64;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** Beyond it a number of nanoseconds does not fit; no machine runs for 292 years. */
    private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND - 1;

    /** No channel: the interrupt of one reader would close a channel for all. */
    private final @Nullable RandomAccessFile file;

    private final byte[] bytes = new byte[MOST_BYTES];

    private UptimeFile(@Nullable RandomAccessFile file) {
        this.file = file;
    }

    /** Opens the file; where there is none, every reading is {@link ClockReading#NOT_READ}. */
    static UptimeFile open(Path path) {
        try {
            return new UptimeFile(new RandomAccessFile(path.toFile(), "r"));
        } catch (FileNotFoundException absent) {
            return new UptimeFile(null);
        }
    }

    /** Nanoseconds since the machine started, {@link ClockReading#NOT_READ} if the file does not tell. */
    synchronized long nanos() {
        if (file == null) {
            return ClockReading.NOT_READ;
        }
        try {
            file.seek(0);
            return parse(file.read(bytes));
        } catch (IOException unreadable) {
            return ClockReading.NOT_READ;
        }
    }

    private long parse(int length) {
        long seconds = 0;
        int next = 0;
        while (next < length && isDigit(bytes[next]) && seconds <= MOST_SECONDS / 10) {
            seconds = 10 * seconds + bytes[next] - '0';
            next++;
        }
        if (next == 0 || next + 2 >= length || bytes[next] != '.' || seconds > MOST_SECONDS) {
            return ClockReading.NOT_READ;
        }
        long fraction = 0;
        long unit = NANOS_PER_SECOND;
        for (next++; next < length && isDigit(bytes[next]); next++) {
            unit /= 10;
            fraction += unit * (bytes[next] - '0');
        }
        boolean ends = next < length && (bytes[next] == ' ' || bytes[next] == '\n');
        return ends && unit < NANOS_PER_SECOND ? seconds * NANOS_PER_SECOND + fraction : ClockReading.NOT_READ;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }
}
