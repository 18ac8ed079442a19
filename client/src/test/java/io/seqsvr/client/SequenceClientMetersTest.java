package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every number of a client is there under its name. */
@Timeout(60)
class SequenceClientMetersTest {
    @Test
    void callsFramesAndWhatWentWrongAreShown() {
        var registry = new SimpleMeterRegistry();
        try (var owner = new FakeOwner();
                var client = SequenceClient.builder()
                        .endpoint(owner.address())
                        .patience(Duration.ofSeconds(30))
                        .timeout(Duration.ofSeconds(30))
                        .build()) {
            new SequenceClientMeters(client).bindTo(registry);
            var first = client.next("messages", 7, 1);
            owner.frame().answer(10);
            SequenceClient.join(first);
            var second = client.next("messages", 7, 1);
            owner.frame().answer(10);
            owner.frame().answer(11);
            SequenceClient.join(second);
            // What is told of a batch comes after its calls have ended.
            SequenceClient.join(client.current("nobody", 7).handle((answer, error) -> 0));
            SequenceClient.join(client.current("nobody", 7).handle((answer, error) -> 0));

            assertEquals(2, count(registry, "seqsvr.client.calls", "verb", "next", "outcome", "answered"));
            assertEquals(2, count(registry, "seqsvr.client.calls", "verb", "current", "outcome", "refused"));
            assertEquals(0, count(registry, "seqsvr.client.calls", "verb", "next", "outcome", "unknown"));
            assertEquals(3, count(registry, "seqsvr.client.frames"));
            assertEquals(3, count(registry, "seqsvr.client.framed.calls"));
            assertEquals(1, count(registry, "seqsvr.client.retries"));
            assertEquals(1, count(registry, "seqsvr.client.backward"));
            assertEquals(0, count(registry, "seqsvr.client.disbelieved"));
            assertEquals(1, count(registry, "seqsvr.client.streams"));
            assertEquals(0, count(registry, "seqsvr.client.overload"));
            assertEquals(0, count(registry, "seqsvr.client.replies.late"));
            assertEquals(0, count(registry, "seqsvr.client.replies.malformed"));
            assertEquals(0, registry.get("seqsvr.client.open").gauge().value());
            var time =
                    registry.get("seqsvr.client.call.time").tags("verb", "next").functionTimer();
            assertEquals(2, time.count());
            assertTrue(time.totalTime(TimeUnit.NANOSECONDS) > 0);
        }
    }

    @Test
    void eachOfTwoClientsIsShownUnderItsTagsAndOneThatIsMadeAnewInPlaceOfTheFormer() {
        var registry = new SimpleMeterRegistry();
        try (var owner = new FakeOwner().byItself();
                var one = clientOf(owner);
                var other = clientOf(owner);
                var anew = clientOf(owner)) {
            var meters = new SequenceClientMeters(one, Tags.of("client", "one"));
            meters.bindTo(registry);
            new SequenceClientMeters(other, Tags.of("client", "other")).bindTo(registry);
            one.blocking().next("messages", 7, 1);
            other.blocking().next("messages", 7, 1);
            other.blocking().next("messages", 7, 1);
            assertEquals(1, count(registry, "seqsvr.client.frames", "client", "one"));
            assertEquals(2, count(registry, "seqsvr.client.frames", "client", "other"));
            assertEquals(0, count(registry, "seqsvr.client.backward", "client", "other"));

            int all = registry.getMeters().size();
            meters.close();
            assertEquals(all / 2, registry.getMeters().size());
            new SequenceClientMeters(anew, Tags.of("client", "one")).bindTo(registry);
            assertEquals(0, count(registry, "seqsvr.client.frames", "client", "one"), "those of the new one");
            assertEquals(2, count(registry, "seqsvr.client.frames", "client", "other"));
        }
    }

    @Test
    void whatIsBoundUnderTheSameTagsFirstStaysWhereTheSecondIsClosed() {
        var registry = new SimpleMeterRegistry();
        try (var owner = new FakeOwner();
                var client = clientOf(owner)) {
            new SequenceClientMeters(client).bindTo(registry);
            int all = registry.getMeters().size();
            try (var again = new SequenceClientMeters(client)) {
                again.bindTo(registry);
            }
            assertEquals(all, registry.getMeters().size());
        }
    }

    private static SequenceClient clientOf(FakeOwner owner) {
        return SequenceClient.builder()
                .endpoint(owner.address())
                .patience(Duration.ofSeconds(30))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private static double count(SimpleMeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }
}
