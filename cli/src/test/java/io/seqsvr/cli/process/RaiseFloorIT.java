package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.client.CurrentSequence;
import io.seqsvr.client.NextCall;
import io.seqsvr.client.SequenceClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A floor while everything runs, and after all of it was killed: no later sequence is at or below it. */
@Timeout(300)
final class RaiseFloorIT {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final long FLOOR = 500_000;
    private static final long USER = 7;
    private static final long NEIGHBOUR = 8;

    @TempDir
    private Path directory;

    @Test
    void whatIsLiftedStaysLiftedThroughKillsAndStops() {
        try (var cluster = start();
                var client = client(cluster)) {
            assertEquals(1, next(client, USER));
            assertEquals(
                    FLOOR,
                    SequenceClient.join(client.raiseFloor(DevCluster.NAMESPACE, USER, FLOOR))
                            .seq());
            cluster.kill9();
        }
        long afterKill;
        try (var cluster = start();
                var client = client(cluster)) {
            var reading = SequenceClient.join(client.current(DevCluster.NAMESPACE, USER));
            assertTrue(reading.seq() >= FLOOR, reading::toString);
            assertEquals(CurrentSequence.Exactness.UPPER_BOUND, reading.exactness());
            afterKill = next(client, USER);
            assertTrue(afterKill > FLOOR, "the next one is at or below the floor");
            assertEquals(afterKill + 1, next(client, USER));
            var many = SequenceClient.join(client.nextMany(
                    DevCluster.NAMESPACE,
                    List.of(
                            NextCall.of(USER),
                            NextCall.of(NEIGHBOUR),
                            NextCall.of(USER).withAtLeast(afterKill + 10))));
            assertEquals(afterKill + 2, many.get(0).get().first());
            assertTrue(many.get(1).get().first() > FLOOR, "the jump is the neighbours' gap");
            assertEquals(afterKill + 10, many.get(2).get().first());
        }
        try (var cluster = start();
                var client = client(cluster)) {
            assertTrue(next(client, USER) > afterKill + 10);
        }
    }

    private DevCluster start() {
        return DevCluster.start(directory.resolve("data"), 0);
    }

    private static SequenceClient client(DevCluster cluster) {
        return SequenceClient.of(cluster.endpoint().host(), cluster.endpoint().port(), CALL);
    }

    private static long next(SequenceClient client, long uid) {
        return SequenceClient.join(client.next(DevCluster.NAMESPACE, uid, 1)).first();
    }
}
