package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.client.SequenceException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a call failed with may travel, as exceptions do, from one process to another. */
class SequenceExceptionTest {
    @Test
    void nothingOfItIsLostOnItsWay() throws IOException, ClassNotFoundException {
        for (var delay : new Duration[] {null, Duration.ofMillis(10)}) {
            var failed = new SequenceException(Kind.UNAVAILABLE, "NOT_READY", "words", Optional.ofNullable(delay));
            var bytes = new ByteArrayOutputStream();
            try (var out = new ObjectOutputStream(bytes)) {
                out.writeObject(failed);
            }
            try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                var read = (SequenceException) in.readObject();
                assertEquals(Kind.UNAVAILABLE, read.kind());
                assertEquals("NOT_READY", read.reason());
                assertEquals("words", read.getMessage());
                assertEquals(Optional.ofNullable(delay), read.retryAfter());
            }
        }
    }
}
