package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.cli.Main;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster of processes that is stopped as the operators' page says, and started again. */
@Timeout(300)
final class CleanStopIT {
    private static final int SEGMENTS = 30;
    private static final int USERS_IN_SEGMENT = 10;
    private static final int TURNS = 20;
    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);
    private static final Duration CALL = Duration.ofSeconds(10);
    /** Of its own accord, or by the signal. */
    private static final Set<Integer> STOPPED = Set.of(0, 128 + 15);

    @TempDir
    private Path directory;

    /** One user of each segment takes so many numbers that no other one has as many. */
    private static long[] ask(LocalCluster cluster, int turns, long[] last) {
        var door = cluster.endpoints(Tier.ROUTER).get(0);
        var epochs = new long[SEGMENTS];
        try (var client = SequenceClient.builder()
                .endpoint(door.toString())
                .namespace(NamespacePlan.NAME)
                .timeout(CALL)
                .build()) {
            for (int segment = 0; segment < SEGMENTS; segment++) {
                for (int turn = 0; turn < turns + segment; turn++) {
                    SequenceRange given = client.blocking().next((long) segment * USERS_IN_SEGMENT + 3);
                    assertEquals(last[segment] + 1, given.first(), "after " + last[segment] + " in segment " + segment);
                    last[segment] = given.last();
                    epochs[segment] = given.epoch();
                }
            }
        }
        return epochs;
    }

    /** All of a tier at once: they cannot count on each other. */
    private static void stop(List<LocalNode> tier) {
        tier.parallelStream().forEach(node -> {
            int code = node.terminate(STOPS_WITHIN);
            assertTrue(STOPPED.contains(code), () -> node.name() + " ended with " + code);
        });
    }

    @Test
    void afterAStopOfEverythingNobodyHasAGap() throws IOException {
        var namespace = new NamespacePlan((long) SEGMENTS * USERS_IN_SEGMENT, USERS_IN_SEGMENT, 10_000);
        var plan = new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), namespace);
        try (var nodes = LocalNodes.in(directory, "stop-", new JavaProgram(Main.class.getName()))) {
            var cluster = LocalCluster.in(nodes, plan);
            cluster.start(READY_WITHIN);
            var last = new long[SEGMENTS];
            var before = ask(cluster, TURNS, last);
            List.of(Tier.ROUTER, Tier.ALLOCSVR, Tier.STORESVR).forEach(tier -> stop(cluster.of(tier)));
            cluster.all().forEach(LocalNode::start);
            cluster.all().forEach(node -> node.awaitReady(READY_WITHIN));
            var after = ask(cluster, 1, last);
            assertTrue(
                    IntStream.range(0, SEGMENTS).allMatch(segment -> after[segment] > before[segment]),
                    () -> "epochs " + Arrays.toString(before) + " before, " + Arrays.toString(after) + " after");
        }
    }
}
