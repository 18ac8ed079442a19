package io.seqsvr.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.proxy.Parcel.Last;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One direction of a connection in virtual time: what each toxic does, and what becomes of bytes on their way. */
final class FlowTest {
    private final FakeTimers timers = new FakeTimers();
    private final List<String> came = new ArrayList<>();
    private long forwarded;
    private final Flow flow = new Flow(timers, new SplittableRandom(7), bytes -> forwarded += bytes);
    private boolean reading;
    private boolean full;

    FlowTest() {
        flow.from(on -> reading = on);
        flow.to(new Sink() {
            @Override
            public boolean isFull() {
                return full;
            }

            @Override
            public void write(Buffer bytes) {
                came.add(bytes.toString(UTF_8));
            }

            @Override
            public void finish(Last word) {
                came.add(word.name());
            }
        });
    }

    @Test
    void withoutToxicsBytesPassAtOnceAndTheEndAfterThem() {
        send("one", "two");
        flow.take(Last.END);
        assertEquals(List.of("one", "two", "END"), came);
        assertEquals(6, forwarded);
    }

    @Test
    void latencyDelaysBytesAndTheEnd() {
        obey(new Effect.Latency(100, 0));
        send("one");
        pass(60);
        send("two");
        flow.take(Last.END);
        pass(39);
        assertEquals(List.of(), came);
        pass(1);
        assertEquals(List.of("one"), came);
        pass(60);
        assertEquals(List.of("one", "two", "END"), came);
    }

    @Test
    void jitterNeverReorders() {
        obey(new Effect.Latency(50, 50));
        var sent = IntStream.range(0, 200).mapToObj(Integer::toString).toList();
        for (String each : sent) {
            send(each);
            pass(1);
        }
        pass(100);
        assertEquals(sent, came);
    }

    @Test
    void bandwidthLetsNoMoreThanItsRatePass() {
        obey(new Effect.Bandwidth(10));
        send("x".repeat(5_000));
        send("y".repeat(5_000));
        pass(500);
        assertEquals(5_000, forwarded);
        pass(400);
        assertEquals(9_000, forwarded);
        pass(100);
        assertEquals(10_000, forwarded);
        assertEquals("x".repeat(5_000) + "y".repeat(5_000), String.join("", came));
    }

    @Test
    void slowCloseDelaysTheEndAlone() {
        obey(new Effect.SlowClose(100));
        send("one");
        flow.take(Last.END);
        assertEquals(List.of("one"), came);
        pass(100);
        assertEquals(List.of("one", "END"), came);
    }

    @Test
    void aTimeoutLosesBytesAndCloses() {
        obey(new Effect.Timeout(100));
        send("one");
        pass(99);
        assertEquals(List.of(), came);
        pass(1);
        assertEquals(List.of("CLOSE"), came);
    }

    @Test
    void aTimeoutWithoutTimeClosesWhenItGoesSinceBytesWereLost() {
        obey(new Effect.Timeout(0));
        send("one");
        flow.take(Last.END);
        pass(1_000_000);
        assertEquals(List.of(), came);
        flow.obey(List.of());
        assertEquals(List.of("CLOSE"), came);
    }

    @Test
    void aTimeoutThatLostNothingGoesWithoutATrace() {
        obey(new Effect.Timeout(100));
        pass(99);
        flow.obey(List.of());
        pass(100);
        send("one");
        assertEquals(List.of("one"), came);
    }

    @Test
    void aResetComesAfterItsTimeAndBytesPassUntilThen() {
        obey(new Effect.ResetPeer(100));
        pass(99);
        send("one");
        pass(1);
        send("two");
        assertEquals(List.of("one", "RESET"), came);
    }

    @Test
    void aChangedTimeIsCountedFromWhenTheToxicStruck() {
        obey(new Effect.ResetPeer(100_000));
        pass(80);
        obey(new Effect.ResetPeer(100));
        pass(19);
        assertEquals(List.of(), came);
        pass(1);
        assertEquals(List.of("RESET"), came);
    }

    @Test
    void aSlicerCutsAndWaitsBetweenPieces() {
        obey(new Effect.Slicer(10, 4, 1_000));
        var text = "0123456789".repeat(20);
        send(text);
        pass(2);
        assertEquals(2, came.size());
        pass(1_000);
        assertEquals(text, String.join("", came));
        assertTrue(came.subList(0, came.size() - 1).stream()
                .allMatch(piece -> piece.length() >= 6 && piece.length() <= 14));
    }

    @Test
    void aLimitClosesAfterItsLastByteAndCountsOnWhenItIsChanged() {
        obey(new Effect.LimitData(5));
        send("one");
        obey(new Effect.LimitData(8));
        send("two", "three");
        assertEquals(List.of("one", "two", "th", "CLOSE"), came);
    }

    @Test
    void aBlackholeHoldsBytesAndTheEndUntilItGoes() {
        obey(new Effect.Blackhole());
        send("one", "two");
        flow.take(Last.END);
        pass(1_000_000);
        assertEquals(List.of(), came);
        assertEquals(6, flow.heldBytes());
        flow.obey(List.of());
        assertEquals(List.of("one", "two", "END"), came);
        assertEquals(0, flow.heldBytes());
    }

    @Test
    void aBlackholeHoldsAResetToo() {
        flow.obey(List.of(toxic("reset", new Effect.ResetPeer(10)), toxic("hole", new Effect.Blackhole())));
        pass(10);
        assertEquals(List.of(), came);
        flow.obey(List.of());
        assertEquals(List.of("RESET"), came);
    }

    @Test
    void whileNothingPassesLittleIsRead() {
        obey(new Effect.Blackhole());
        assertTrue(reading);
        send("x".repeat((int) Flow.MOST_HELD_BYTES_WHEN_STUCK));
        assertFalse(reading);
        flow.obey(List.of());
        assertTrue(reading);
    }

    @Test
    void whatWaitsForItsTimeIsBounded() {
        obey(new Effect.Latency(1_000, 0));
        send("x".repeat((int) Flow.MOST_HELD_BYTES - 1));
        assertTrue(reading);
        send("x");
        assertFalse(reading);
        pass(1_000);
        assertTrue(reading);
    }

    @Test
    void aFullReceiverStopsTheReadingUntilItHasDrained() {
        full = true;
        send("one");
        assertFalse(reading);
        full = false;
        flow.regulate();
        assertTrue(reading);
    }

    @Test
    void toxicsAreAChainInTheirOrder() {
        var limit = toxic("limit", new Effect.LimitData(4));
        var late = toxic("late", new Effect.Latency(100, 0));
        flow.obey(List.of(late, limit));
        send("abc", "def");
        assertEquals(List.of(), came);
        pass(100);
        assertEquals(List.of("abc", "d", "CLOSE"), came);
    }

    @Test
    void bytesKeepTheirOrderWhateverToxicsComeAndGo() {
        var random = new SplittableRandom(42);
        var sent = new StringBuilder();
        var effects = List.<Effect>of(
                new Effect.Latency(20, 20),
                new Effect.Bandwidth(3),
                new Effect.Slicer(3, 2, 500),
                new Effect.Blackhole(),
                new Effect.SlowClose(10));
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(4) == 0) {
                flow.obey(effects.stream()
                        .filter(effect -> random.nextInt(3) == 0)
                        .map(effect -> toxic(effect.type(), effect))
                        .toList());
            }
            var text = i + ",";
            sent.append(text);
            send(text);
            pass(random.nextInt(8));
        }
        flow.take(Last.END);
        flow.obey(List.of());
        assertEquals(sent + "END", String.join("", came));
        assertEquals(0, timers.pending());
    }

    @Test
    void whatIsStoppedLeavesNoTimerBehind() {
        flow.obey(List.of(toxic("late", new Effect.Latency(100, 0)), toxic("reset", new Effect.ResetPeer(100))));
        send("one");
        flow.stop();
        assertEquals(0, timers.pending());
        assertEquals(0, flow.heldBytes());
        assertFalse(reading);
    }

    private void send(String... texts) {
        Stream.of(texts).forEach(text -> flow.take(new Parcel.Data(Buffer.buffer(text))));
    }

    private void obey(Effect effect) {
        flow.obey(List.of(toxic("some", effect)));
    }

    private static Toxic toxic(String name, Effect effect) {
        return Toxic.of(name, Direction.UPSTREAM, effect);
    }

    private void pass(long millis) {
        timers.pass(Duration.ofMillis(millis));
    }
}
