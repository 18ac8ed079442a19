package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.client.SequenceException.Kind;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client makes of names that it is not shown, and what it says of owners that do not answer. */
@Timeout(60)
class SequenceClientDoubtTest {
    private static final Duration GENEROUS = Duration.ofSeconds(50);

    private final FakeOwner one = new FakeOwner();
    private final FakeOwner other = new FakeOwner();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private SequenceClient.Builder client() {
        return SequenceClient.builder()
                .endpoint(one.address())
                .namespace("messages")
                .timeout(GENEROUS)
                .patience(GENEROUS);
    }

    private static SequenceException errorOf(CompletionStage<?> stage) {
        return assertThrows(SequenceException.class, () -> SequenceClient.join(stage));
    }

    /** Whom the client watches is cut off, and never tells what is new; who watches from now on hears it. */
    @Test
    void aNamespaceThatWhoIsWatchedDoesNotKnowIsLookedForElsewhere() {
        one.byItself();
        var before = FakeOwner.pictureOf(1, List.of(one), 1);
        other.shows(before);
        try (var client = client().endpoint(other.address()).build()) {
            assertEquals(1, client.blocking().next(7).first());
            var young = withMoments(before);
            one.shows(young);
            other.shows(young);
            int watches = one.watches() + other.watches();
            assertEquals(Kind.INVALID, errorOf(client.next("moments", 7, 1)).kind());
            // One call is enough: nobody calls again meanwhile.
            long overAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (one.watches() + other.watches() == watches) {
                assertTrue(System.nanoTime() - overAt < 0, "nobody else was asked");
                Thread.onSpinWait();
            }
            var taken = client.next("moments", 8, 1).handle((range, error) -> error == null);
            while (!SequenceClient.join(taken)) {
                assertTrue(System.nanoTime() - overAt < 0, "it was not taken in");
                taken = client.next("moments", 8, 1).handle((range, error) -> error == null);
            }
        }
    }

    /** The next picture, with a namespace more. */
    private static RoutePicture withMoments(RoutePicture before) {
        var namespaces = new ArrayList<>(before.namespaces());
        namespaces.add(new Namespace(2, "moments", FakeOwner.USERS, FakeOwner.SEGMENT, 10_000, 1_000, Long.MAX_VALUE));
        var ranges = new ArrayList<>(before.routes().ranges());
        ranges.add(new RouteRange(2, 0, 9, before.owners().get(0).session(), 1));
        return new RoutePicture(before.clusterId(), 2, namespaces, before.owners(), new RouteTable(2, ranges));
    }

    @Test
    void aCallWhoseTimeIsOverTellsOfTheOwnerThatItAskedAndNotOfAnotherOne() {
        one.shows(FakeOwner.pictureOf(2, List.of(one, other), 1));
        try (var client = client().timeout(Duration.ofSeconds(2)).build()) {
            var broken = client.next(7);
            one.frame().takeAndReset();
            var silent = client.next(107);
            other.frame();
            one.frame();
            var ofSilent = String.valueOf(errorOf(silent).getMessage());
            assertTrue(ofSilent.contains(other.address() + ": nothing was heard of it"), ofSilent);
            assertFalse(ofSilent.contains(one.address()), ofSilent);
            var ofBroken = String.valueOf(errorOf(broken).getMessage());
            assertTrue(ofBroken.contains("what was heard last: " + one.address() + ": "), ofBroken);
        }
    }

    @Test
    void whatWasWrongWithAnOwnerBeforeItAnsweredIsNotToldOfALaterCall() {
        try (var client = client().timeout(Duration.ofSeconds(2)).build()) {
            var first = client.next(7);
            one.frame().takeAndReset();
            one.frame().serve();
            assertEquals(2, SequenceClient.join(first).first());
            var second = client.next(7);
            one.frame();
            var message = String.valueOf(errorOf(second).getMessage());
            assertTrue(message.contains(one.address() + ": nothing was heard of it"), message);
        }
    }
}
