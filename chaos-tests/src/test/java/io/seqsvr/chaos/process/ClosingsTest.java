package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One that fails to close leaves no other open. */
final class ClosingsTest {
    @Test
    void allAreClosedAndTheFirstFailureIsTold() {
        var closed = new ArrayList<String>();
        var first = new IllegalStateException("first");
        var second = new IllegalStateException("second");
        Stream<Runnable> closings = Stream.of(
                () -> closed.add("one"),
                () -> {
                    throw first;
                },
                () -> {
                    throw second;
                },
                () -> closed.add("another"));
        assertSame(first, assertThrows(IllegalStateException.class, () -> Closings.all(closings)));
        assertEquals(List.of(second), List.of(first.getSuppressed()));
        assertEquals(List.of("one", "another"), closed);
    }
}
