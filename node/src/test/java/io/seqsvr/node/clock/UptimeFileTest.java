package io.seqsvr.node.clock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.lease.ClockReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the text of the boot-time clock becomes nanoseconds, and what becomes of a text that is none. */
class UptimeFileTest {
    @TempDir
    private Path root = Path.of("");

    private long read(String text) throws IOException {
        return UptimeFile.open(Files.writeString(root.resolve("uptime"), text)).nanos();
    }

    @ParameterizedTest
    @CsvSource({
        "'0.00 0.00\n', 0",
        "'12414.42 10533.27\n', 12414420000000",
        "'0.07 0.00\n', 70000000",
        "'3.5\n', 3500000000",
        "'9223372034.99 1.00\n', 9223372034990000000",
    })
    void secondsWithDecimalsAreReadToTheFirstBlank(String text, long nanos) throws IOException {
        assertEquals(nanos, read(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                " 1.00 2.00\n",
                "-1.00 2.00\n",
                "12\n",
                "12.\n",
                ".5 1\n",
                "12,34 5\n",
                "12.34",
                "12.3x 5\n",
                "up 12.34\n",
                "9223372036.99 1.00\n",
                "99999999999999999999.00 1.00\n",
            })
    void anotherTextIsNoClock(String text) throws IOException {
        assertEquals(ClockReading.NOT_READ, read(text));
    }

    @Test
    void eachReadingLooksAtTheFileAnew() throws IOException {
        var path = Files.writeString(root.resolve("uptime"), "10.00 1.00\n");
        var clock = UptimeFile.open(path);
        assertEquals(10_000_000_000L, clock.nanos());
        Files.writeString(path, "10.01 1.00\n");
        assertEquals(10_010_000_000L, clock.nanos());
        Files.writeString(path, "?");
        assertEquals(ClockReading.NOT_READ, clock.nanos());
        Files.writeString(path, "10.02 1.00\n");
        assertEquals(10_020_000_000L, clock.nanos());
    }

    @Test
    void whereThereIsNoSuchFileNothingIsRead() {
        assertEquals(
                ClockReading.NOT_READ, UptimeFile.open(root.resolve("absent")).nanos());
        assertEquals(ClockReading.NOT_READ, UptimeFile.open(root).nanos());
    }

    /** The loops of a process share it; half a text of one and half of another would be a clock that jumps. */
    @Test
    void whoeverReadsAtTheSameTimeReadsTheWholeText() throws IOException {
        var path = Files.writeString(root.resolve("uptime"), "12414.42 10533.27\n");
        var clock = UptimeFile.open(path);
        var read = IntStream.range(0, 100_000)
                .parallel()
                .mapToLong(reading -> clock.nanos())
                .distinct()
                .toArray();
        assertArrayEquals(new long[] {12_414_420_000_000L}, read);
    }
}
