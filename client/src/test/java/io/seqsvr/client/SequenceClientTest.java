package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.client.SequenceException.Kind;
import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.fixture.StallingRelay;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client does with its calls, whatever owners, streams and pictures do. */
@Timeout(60)
class SequenceClientTest {
    private static final Duration GENEROUS = Duration.ofSeconds(30);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final FakeOwner owner = new FakeOwner();
    private final SequenceClient client = clientOf(owner).framesInFlight(1).build();

    /** No call goes out twice because the machine is busy. */
    private static SequenceClient.Builder clientOf(FakeOwner owner) {
        return hastyClientOf(owner).patience(GENEROUS);
    }

    /** Asks again after a second, as applications' clients do. */
    private static SequenceClient.Builder hastyClientOf(FakeOwner owner) {
        return SequenceClient.builder()
                .endpoint(owner.address())
                .namespace("messages")
                .timeout(GENEROUS);
    }

    @AfterEach
    void close() {
        client.close();
        owner.close();
    }

    private static SequenceException errorOf(CompletionStage<?> stage) {
        return assertThrows(SequenceException.class, () -> SequenceClient.join(stage));
    }

    private static SequenceRange range(long uid, long first, long last) {
        return new SequenceRange(uid, first, last, 1);
    }

    @Test
    void everyVerbGetsWhatItAsksFor() {
        owner.byItself();
        var calls = client.blocking();
        assertEquals(range(7, 1, 1), calls.next(7));
        assertEquals(range(7, 2, 4), calls.next(7, 3));
        assertEquals(range(7, 5, 6), calls.next("messages", 7, 2));
        assertEquals(range(7, 100, 100), calls.next("messages", NextCall.of(7).withAtLeast(100)));
        assertEquals(new CurrentSequence(7, 100, CurrentSequence.Exactness.EXACT, 1), calls.current(7));
        assertEquals(0, calls.current("messages", 8).seq());
        assertEquals(new RaisedFloor(7, 150, 1), calls.raiseFloor("messages", 7, 150));
        assertEquals(range(7, 151, 151), calls.next(7));
    }

    @Test
    void manyUsersAreAskedTogetherAndEachItemHasItsOwnOutcome() {
        owner.byItself();
        var taken = client.blocking()
                .nextMany("messages", List.of(NextCall.of(7, 2), NextCall.of(FakeOwner.USERS), NextCall.of(7)));
        assertEquals(range(7, 1, 2), taken.get(0).get());
        var error = taken.get(1).error().orElseThrow();
        assertEquals(Kind.INVALID, error.kind());
        assertEquals("UID_OUT_OF_RANGE", error.reason());
        assertEquals(range(7, 3, 3), taken.get(2).get());
        var readings = client.blocking().currentMany("messages", List.of(7L, 8L));
        assertEquals(3, readings.get(0).get().seq());
        assertEquals(0, readings.get(1).get().seq());
    }

    @Test
    void callsThatAreMadeWhileAFrameIsInFlightShareTheNext() {
        var first = client.next(1);
        var frame = owner.frame();
        var second = client.next(2);
        var third = client.next(3, 5);
        frame.serve();
        var shared = owner.frame();
        assertEquals(List.of(2L, 3L), shared.uids());
        assertEquals(
                List.of(1L, 5L),
                List.of(shared.calls().counts().get(0), shared.calls().counts().get(1)));
        assertEquals(1, shared.calls().leastEpochs().get(0));
        shared.serve();
        assertEquals(range(1, 1, 1), SequenceClient.join(first));
        assertEquals(range(2, 1, 1), SequenceClient.join(second));
        assertEquals(range(3, 1, 5), SequenceClient.join(third));
        assertEquals(2, client.counts().count(Event.FRAMES));
        assertEquals(3, client.counts().count(Event.FRAMED_CALLS));
    }

    /** Shows the owner as one behind a relay. */
    private StallingRelay relay() {
        var relay = new StallingRelay(owner.address());
        var plain = FakeOwner.pictureOf(1, List.of(owner), 1);
        var behind = new RouteOwner(plain.owners().get(0).session(), relay.address(), "alloc");
        owner.shows(new RoutePicture(
                plain.clusterId(), plain.version(), plain.namespaces(), List.of(behind), plain.routes()));
        return relay;
    }

    @Test
    void aConnectionThatWasCutIsLeftForAnotherOne() {
        owner.byItself();
        try (var relay = relay();
                var through = hastyClientOf(owner).build()) {
            assertEquals(range(7, 1, 1), through.blocking().next(7));
            relay.stall();
            assertEquals(range(7, 2, 2), through.blocking().next(7));
            assertEquals(2, through.counts().count(Event.STREAMS));
        }
    }

    @Test
    void aConnectionThatIsAcceptedAndNeverSpeaksIsLeftForAnotherOne() {
        owner.byItself();
        try (var relay = relay();
                var through =
                        hastyClientOf(owner).timeout(Duration.ofSeconds(9)).build()) {
            relay.stallNext();
            assertEquals(range(7, 1, 1), through.blocking().next(7));
        }
    }

    @Test
    void anOwnerThatOnlyTakesItsTimeKeepsItsConnection() {
        try (var through = hastyClientOf(owner).build()) {
            var call = through.next(7);
            // Tried again each second, over the same stream: the owner is there, and cannot answer yet.
            owner.frame();
            owner.frame();
            owner.frame();
            owner.frame().serve();
            assertEquals(range(7, 1, 1), SequenceClient.join(call));
            assertEquals(1, through.counts().count(Event.STREAMS));
        }
    }

    @Test
    void atItsDeadlineACallEndsWithAnUnknownOutcomeThatNamesIt() {
        try (var hasty = clientOf(owner).timeout(Duration.ofMillis(100)).build()) {
            // What is not sent in time, as the first calls may not be, has an outcome.
            var error = errorOf(hasty.next(7, 3));
            while (error.kind() == Kind.UNAVAILABLE) {
                error = errorOf(hasty.next(7, 3));
            }
            assertEquals(Kind.UNKNOWN_OUTCOME, error.kind());
            assertEquals("DEADLINE_PASSED", error.reason());
            var message = String.valueOf(error.getMessage());
            assertTrue(
                    message.startsWith("next of user 7 in namespace 'messages', count 3: no answer within 100 ms"),
                    message);
        }
    }

    @Test
    void whatWasInFlightOnAStreamThatBreaksIsTriedAgainAndItsNumberIsBurnedNotRepeated() {
        var one = client.next(7);
        owner.frame().takeAndReset();
        owner.frame().serve();
        assertEquals(range(7, 2, 2), SequenceClient.join(one));
        assertEquals(2, client.counts().count(Event.STREAMS));
    }

    @Test
    void anOwnerThatRefusesHasThePictureFetchedAnewAndTheCallGoesToTheNewOne() {
        try (var heir = new FakeOwner()) {
            heir.epoch(2);
            var call = client.next(7);
            var frame = owner.frame();
            owner.shows(FakeOwner.pictureOf(2, List.of(heir), 2));
            // How many more it gets depends on how fast the picture comes.
            owner.refuses(ErrorReason.NOT_OWNER);
            frame.refuse(ErrorReason.NOT_OWNER);
            var moved = heir.frame();
            assertEquals(2, moved.calls().leastEpochs().get(0));
            moved.serve();
            assertEquals(new SequenceRange(7, 1, 1, 2), SequenceClient.join(call));
        }
    }

    /** Only its way to StoreSvr is cut: it answers, always with a no, and goes on to show what it knew. */
    @Test
    void anOwnerThatMayAnswerNobodyHasThePictureFetchedElsewhere() {
        try (var heir = new FakeOwner()) {
            heir.shows(FakeOwner.pictureOf(1, List.of(owner), 1));
            try (var other = clientOf(owner).endpoint(heir.address()).build()) {
                var first = other.next(7);
                owner.frame().serve();
                assertEquals(range(7, 1, 1), SequenceClient.join(first));
                heir.epoch(2);
                heir.shows(FakeOwner.pictureOf(2, List.of(heir), 2));
                owner.refuses(ErrorReason.LEASE_EXPIRED);
                var call = other.next(7);
                heir.frame().answer(2);
                assertEquals(new SequenceRange(7, 2, 2, 2), SequenceClient.join(call));
            }
        }
    }

    @Test
    void anAnswerOfAnOlderEpochThanOneSeenIsDroppedAndTheCallTriedAgain() {
        owner.epoch(5);
        var first = client.next(7);
        owner.frame().serve();
        assertEquals(5, SequenceClient.join(first).epoch());
        owner.epoch(4);
        var second = client.next(7);
        var late = owner.frame();
        assertEquals(5, late.calls().leastEpochs().get(0));
        late.serve();
        var again = owner.frame();
        owner.epoch(5);
        again.serve();
        assertEquals(new SequenceRange(7, 3, 3, 5), SequenceClient.join(second));
        assertEquals(1, client.counts().count(Event.DISBELIEVED));
        assertEquals(0, client.backward());
    }

    @Test
    void anAnswerThatStepsBackIsCountedAndNotGivenOut() {
        var first = client.next(7);
        owner.frame().answer(10);
        assertEquals(range(7, 10, 10), SequenceClient.join(first));
        var second = client.next(7);
        owner.frame().answer(10);
        var again = owner.frame();
        assertFalse(second.toCompletableFuture().isDone());
        again.answer(11);
        assertEquals(range(7, 11, 11), SequenceClient.join(second));
        assertEquals(1, client.backward());
    }

    @Test
    void aReplyThatIsNoneToItsFrameIsNeverTakenForASequence() {
        var call = client.next(7);
        for (long wrong : new long[] {0, -5}) {
            owner.frame().answer(wrong);
        }
        owner.frame().serve();
        assertEquals(range(7, 3, 3), SequenceClient.join(call));
        assertEquals(2, client.counts().count(Event.MALFORMED));
    }

    @Test
    void moreCallsThanMayBeOpenAreRefusedAtOnce() {
        try (var narrow =
                clientOf(owner).openCalls(2).timeout(Duration.ofSeconds(2)).build()) {
            var one = narrow.next(1);
            owner.frame();
            var other = narrow.next(2);
            var error = errorOf(narrow.next(3));
            assertEquals(Kind.UNAVAILABLE, error.kind());
            assertEquals("TOO_MANY_WAITING", error.reason());
            assertTrue(error.retryAfter().isPresent());
            assertFalse(one.toCompletableFuture().isDone());
            assertFalse(other.toCompletableFuture().isDone());
        }
    }

    @Test
    void aRefusalThatNoRetryCuresEndsTheCall() {
        var unknown = errorOf(client.next("nobody", 7, 1));
        assertEquals(Kind.INVALID, unknown.kind());
        assertEquals(
                "next of user 7 in namespace 'nobody', count 1: there is no namespace 'nobody'", unknown.getMessage());
        var exhausted = client.next(7);
        owner.frame().refuse(ErrorReason.SEQUENCE_EXHAUSTED);
        assertEquals(Kind.EXHAUSTED, errorOf(exhausted).kind());
    }

    @Test
    void closingWaitsForCallsThatAreOpen() {
        var call = client.next(7);
        var frame = owner.frame();
        var closing = new Thread(client::close);
        closing.start();
        frame.serve();
        assertEquals(range(7, 1, 1), SequenceClient.join(call));
        var late = assertThrows(IllegalStateException.class, () -> afterClosing(closing));
        assertEquals("the client is closed", late.getMessage());
    }

    private CompletionStage<SequenceRange> afterClosing(Thread closing) {
        try {
            closing.join();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        return client.next(7);
    }

    @Test
    void aCallThatOutlastsTheClosingEndsWithAnUnknownOutcome() {
        var brief = clientOf(owner).timeout(Duration.ofSeconds(3)).build();
        var call = brief.next(7);
        owner.frame();
        brief.close();
        assertEquals(Kind.UNKNOWN_OUTCOME, errorOf(call).kind());
        brief.close();
    }

    @Test
    void aClientThatReachesItsEndpointOnlyAsksThatForEverything() {
        try (var far = new FakeOwner();
                var thin = clientOf(owner).viaEndpoint().build()) {
            owner.shows(FakeOwner.pictureOf(2, List.of(far), 1));
            var call = thin.next(7);
            var frame = owner.frame();
            assertEquals(0, frame.calls().timeoutMillis(), "it would keep the answers of all until it has the last");
            frame.serve();
            assertEquals(range(7, 1, 1), SequenceClient.join(call));
            far.hasNoFrame();
        }
    }

    /** What waits for StoreSvr there keeps a place until then. */
    @Test
    void anOwnerHearsHowLongTheLastOfAFramesCallsWaits() {
        try (var hasty = clientOf(owner).timeout(Duration.ofSeconds(10)).build()) {
            var call = hasty.next(7);
            var frame = owner.frame();
            long waits = frame.calls().timeoutMillis();
            assertTrue(waits > 0 && waits <= 10_000, () -> waits + " ms, of a patience of " + GENEROUS);
            frame.serve();
            assertEquals(range(7, 1, 1), SequenceClient.join(call));
        }
    }

    /** A process of another cluster may have the address by then. */
    @Test
    void whoIsAskedHearsWhichClusterIsMeant() {
        var call = client.next(7);
        var frame = owner.frame();
        assertEquals("test", frame.meantCluster());
        frame.serve();
        assertEquals(range(7, 1, 1), SequenceClient.join(call));
    }

    /** The watch may be at a server that is behind: it shows version 1 only, here. */
    @Test
    void whoIsNotTheOwnerShowsWhoIs() {
        try (var heir = new FakeOwner()) {
            heir.epoch(2);
            var before = FakeOwner.pictureOf(1, List.of(owner), 1);
            var now = FakeOwner.pictureOf(2, List.of(heir), 2);
            var call = client.next(7);
            var frame = owner.frame();
            assertEquals(1, frame.calls().routesVersion());
            frame.refuseAndShow(RouteChanges.between(before, now));
            var moved = heir.frame();
            assertEquals(2, moved.calls().routesVersion());
            moved.serve();
            assertEquals(1, SequenceClient.join(call).first());
            owner.hasNoFrame();
        }
    }

    /** It is left to the watch, which asks somebody else. */
    @Test
    void whatIsShownOfAnotherClusterOrUponAnotherVersionOrCannotBeReadIsNotGoneBy() {
        try (var stranger = new FakeOwner()) {
            var two = FakeOwner.pictureOf(2, List.of(owner), 1);
            var three = FakeOwner.pictureOf(3, List.of(stranger), 2);
            var call = client.next(7);
            owner.frame().refuseAndShow(RouteChanges.between(two, three));
            var foreign = new RoutePicture("other", 9, three.namespaces(), three.owners(), three.routes());
            owner.frame().refuseAndShow(foreign.complete());
            owner.frame().refuseAndShow(Buffer.buffer(new byte[] {1, 2, 3}));
            var otherSet = RoutesCodec.encode(three.complete()).toBuilder().setSet(1);
            owner.frame().refuseAndShow(Buffer.buffer(otherSet.build().toByteArray()));
            owner.frame().serve();
            assertEquals(range(7, 1, 1), SequenceClient.join(call));
            assertEquals(2, client.counts().count(Event.MALFORMED));
            stranger.hasNoFrame();
        }
    }

    @Test
    void callsGoToTheOwnersOfTheirUsers() {
        try (var other = new FakeOwner();
                var smart = clientOf(owner).build()) {
            owner.byItself();
            other.byItself();
            owner.shows(FakeOwner.pictureOf(2, List.of(owner, other), 1));
            for (long uid = 0; uid < FakeOwner.USERS; uid += FakeOwner.SEGMENT) {
                assertEquals(range(uid, 1, 1), smart.blocking().next(uid));
            }
        }
    }

    @Test
    void whoNeverSeesTheClusterIsRefusedAndToldWhy() {
        try (var lonely = SequenceClient.builder()
                .endpoint("127.0.0.1:1")
                .timeout(Duration.ofSeconds(3))
                .build()) {
            var error = errorOf(lonely.next("messages", 7, 1));
            assertEquals(Kind.UNAVAILABLE, error.kind());
            var message = String.valueOf(error.getMessage());
            assertTrue(message.contains("it was not sent in time; no picture of the cluster: 127.0.0.1:1"), message);
        }
    }

    @Test
    void settingsThatCannotBeAreRefusedByName() {
        var builder = SequenceClient.builder();
        assertThrows(IllegalArgumentException.class, builder::build);
        assertThrows(IllegalArgumentException.class, () -> builder.endpoint("nowhere"));
        var refused = assertThrows(IllegalArgumentException.class, () -> builder.callsPerFrame(5_001));
        assertEquals("callsPerFrame is 5001; it must be from 1 to 5000", refused.getMessage());
        for (var wrong : List.of(Duration.ofNanos(999_999), Duration.ofHours(1).plusNanos(1), FOREVER)) {
            var told = assertThrows(IllegalArgumentException.class, () -> builder.timeout(wrong));
            assertEquals("timeout is " + wrong + "; it must be from 1 ms to 1 h", told.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> builder.endpoint("127.0.0.1:0"));
        assertThrows(IllegalArgumentException.class, () -> SequenceClient.of("127.0.0.1", 0, GENEROUS));
        builder.endpoint("127.0.0.1:1").endpoint("127.0.0.1:2").viaEndpoint();
        assertThrows(IllegalArgumentException.class, builder::build);
    }

    @Test
    void whatABuilderIsToldLaterIsNothingToTheClientsThatItHasMade() {
        owner.byItself();
        var builder = clientOf(owner);
        try (var before = builder.build();
                var after = builder.namespace("moments")
                        .timeout(Duration.ofMillis(1))
                        .build()) {
            assertEquals(range(7, 1, 1), before.blocking().next(7));
            assertThrows(SequenceException.class, () -> after.blocking().next(7));
        }
    }

    @Test
    void whoIsInterruptedClosesAllTheSame() {
        var brief = clientOf(owner).build();
        var call = brief.next(1);
        owner.frame();
        Thread.currentThread().interrupt();
        brief.close();
        assertTrue(Thread.interrupted(), "it is for whoever called");
        assertEquals(Kind.UNKNOWN_OUTCOME, errorOf(call).kind());
        assertThrows(IllegalStateException.class, () -> brief.next(1));
    }

    /** On the loop it would take the call, and a place for open calls, out of everybody's sight. */
    @Test
    void aNamespaceThatIsNullIsToldToTheCallerAtOnce() {
        String none = System.getProperty("seqsvr.no.such.setting");
        assertThrows(NullPointerException.class, () -> client.next(none, 7, 1));
        assertThrows(NullPointerException.class, () -> client.current(none, 7));
        assertThrows(NullPointerException.class, () -> client.raiseFloor(none, 7, 1));
        owner.byItself();
        assertEquals(range(7, 1, 1), client.blocking().next(7));
    }

    /** It would wait for itself, and with it every call of the client, deadlines and all. */
    @Test
    void aThreadThatCompletesCallsCannotWaitForOne() {
        var waiting =
                client.next(1).thenApply(first -> client.blocking().next(1)).toCompletableFuture();
        owner.frame().serve();
        var failure = assertThrows(CompletionException.class, waiting::join);
        assertTrue(String.valueOf(failure.getMessage()).contains("must not wait"), failure::toString);
        owner.byItself();
        assertTrue(client.blocking().next(1).first() > 1);
    }

    /** It would wait for itself. */
    @Test
    void aThreadThatCompletesCallsCannotCloseTheClient() {
        var closing = client.next(1).thenRun(client::close).toCompletableFuture();
        owner.frame().serve();
        var failure = assertThrows(CompletionException.class, closing::join);
        assertTrue(String.valueOf(failure.getMessage()).contains("on another one"), failure::toString);
        owner.byItself();
        assertEquals(range(1, 2, 2), client.blocking().next(1));
    }
}
