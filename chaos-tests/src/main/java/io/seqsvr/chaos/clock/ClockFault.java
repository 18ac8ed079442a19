package io.seqsvr.chaos.clock;

import io.seqsvr.chaos.host.NativeCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The clocks of one process: its wall clock and its monotonic clock, which are true until they are set. The clock that
 * counts from boot (/proc/uptime) stays true, as when a virtual machine is suspended. Use it from one thread, on a
 * system where {@link System#nanoTime} is CLOCK_MONOTONIC.
 */
public final class ClockFault {
    private static final String VARIABLE = "SEQSVR_CLOCK_FAULT";
    private static final int AT_VERSION = 0;
    private static final int AT_WALL_SEEN = 8;
    private static final int AT_MONOTONIC_SEEN = 16;
    private static final int AT_SETTINGS = 24;
    private static final int SETTING_BYTES = 4 * Long.BYTES;
    private static final int BYTES = AT_SETTINGS + 2 * SETTING_BYTES;
    private static final int MILLION = 1_000_000;

    private final Path control;
    private long version;
    private long wallNanos;
    private long monotonicNanos;
    private int faster;
    private long sinceNanos;
    private Runnable beforeEachWrite = () -> {};

    private ClockFault(Path control) {
        this.control = control;
    }

    /** Why there can be no such faults on this machine, if so. */
    public static Optional<String> missing() {
        return NativeCode.missing();
    }

    /**
     * Compiles what processes load.
     *
     * @param directory gets it
     * @return the library, for {@code LD_PRELOAD}
     */
    public static Path library(Path directory) {
        return NativeCode.compile(ClockFault.class, "clockfault.c", directory, "-shared", "-fPIC");
    }

    /**
     * True clocks.
     *
     * @param control the file that will control them
     */
    public static ClockFault at(Path control) {
        try {
            Files.write(control, new byte[BYTES]);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return new ClockFault(control);
    }

    /** What the process needs in its environment beside the library. */
    public Map<String, String> environment() {
        return Map.of(VARIABLE, control.toString());
    }

    /** For a look at a setting that has got stuck on its way. */
    void beforeEachWrite(Runnable look) {
        beforeEachWrite = look;
    }

    /** Somebody sets the wall clock, forward or back. */
    public void setWall(Duration by) {
        settle();
        wallNanos += by.toNanos();
        write();
    }

    /** The monotonic clock has stood still for so long, and the wall clock not: a machine was suspended. */
    public void holdMonotonic(Duration by) {
        settle();
        monotonicNanos -= by.toNanos();
        write();
    }

    /**
     * From now on both go at another rate.
     *
     * @param millionths by how much faster than true time; below 0 for slower
     */
    public void run(int millionths) {
        if (millionths <= -MILLION || millionths > MILLION) {
            throw new IllegalArgumentException(
                    "a clock cannot go " + millionths + " millionths faster; from -999999 to 1000000 it can");
        }
        settle();
        faster = millionths;
        write();
    }

    /** Both go right again, and the wall clock is set right; the monotonic one stays off, as it is never set. */
    public void heal() {
        settle();
        wallNanos = 0;
        faster = 0;
        write();
    }

    /** A new process begins with true clocks. */
    public void forget() {
        wallNanos = 0;
        monotonicNanos = 0;
        faster = 0;
        write();
    }

    /** Whether its process has read a wall clock that is not true since they were set last. */
    public boolean wallIsSeen() {
        return isSeen(AT_WALL_SEEN);
    }

    /** Whether its process has read a monotonic clock that is not true since they were set last. */
    public boolean monotonicIsSeen() {
        return isSeen(AT_MONOTONIC_SEEN);
    }

    private boolean isSeen(int at) {
        var bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        try (var file = FileChannel.open(control, StandardOpenOption.READ)) {
            if (file.read(bytes, at) < Long.BYTES) {
                throw new IllegalStateException(control + " was cut short");
            }
            return version > 0 && bytes.flip().getLong() == version;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What the rate has gained so far becomes part of the offsets. */
    private void settle() {
        long now = System.nanoTime();
        long gained = Math.multiplyExact(now - sinceNanos, (long) faster) / MILLION;
        wallNanos += gained;
        monotonicNanos += gained;
        sinceNanos = now;
    }

    /** The process reads what is in force until all of what comes next is there. */
    private void write() {
        long next = version + 1;
        put(
                AT_SETTINGS + SETTING_BYTES * (int) (next % 2),
                ByteBuffer.allocate(SETTING_BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(wallNanos)
                        .putLong(monotonicNanos)
                        .putLong(faster)
                        .putLong(sinceNanos));
        put(
                AT_VERSION,
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(next));
        version = next;
    }

    private void put(int offset, ByteBuffer bytes) {
        bytes.flip();
        beforeEachWrite.run();
        try (var file = FileChannel.open(control, StandardOpenOption.WRITE)) {
            for (int at = offset; bytes.hasRemaining(); ) {
                at += file.write(bytes, at);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
