package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** What the peers of a StoreSvr cluster say of themselves, as {@code store status} asks them, but without a process. */
final class PeersSeen implements AutoCloseable {
    private static final Duration ASKED_FOR = Duration.ofSeconds(3);
    private static final long MOST_BEHIND = 100;
    private static final Duration SOON = Duration.ofSeconds(60);
    /** Peers that recover need the processor for themselves. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final StatusCaller caller = new StatusCaller(vertx, ASKED_FOR);
    private final List<HostPort> peers;

    PeersSeen(List<Endpoint> peers) {
        this.peers = peers.stream()
                .map(peer -> new HostPort(peer.host(), peer.port()))
                .toList();
    }

    /** Those that answer now, by id. */
    List<PeerStatus> answers() {
        return answers(new StoreSurvey(caller::status));
    }

    private List<PeerStatus> answers(StoreSurvey survey) {
        return NodeServer.onContext(vertx.getOrCreateContext(), () -> survey.of(peers)).await().stream()
                .flatMap(finding -> finding.status().stream())
                .toList();
    }

    /** Id of the peer that leads and is ready, once there is one. */
    String awaitLeader() {
        return await(
                "a leader",
                () -> answers().stream().filter(PeersSeen::leads).findFirst().map(PeerStatus::id));
    }

    private static boolean leads(PeerStatus peer) {
        return peer.leads() && peer.ready();
    }

    /**
     * Waits until every peer answers, one leads, and none is far behind: one that is does not count for a majority yet.
     */
    void awaitWell() {
        await("all peers to be well", () -> {
            var answers = answers();
            var applied = answers.stream()
                    .mapToLong(peer -> peer.appliedIndex().orElse(-MOST_BEHIND))
                    .summaryStatistics();
            return answers.size() == peers.size()
                            && answers.stream().anyMatch(PeersSeen::leads)
                            && applied.getMax() - applied.getMin() <= MOST_BEHIND
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    /** Waits until all peers stand at one entry of the log: each must have made the same rows of it. */
    void assertEqualReplicas() {
        var digests = awaitDigests();
        assertEquals(1, Set.copyOf(digests).size(), () -> "violation: replicas differ: " + digests);
    }

    private List<String> awaitDigests() {
        var seen = new AtomicReference<List<PeerStatus>>(List.of());
        return await(() -> "all peers to stand at one entry; last seen " + seen.get(), () -> {
            var answers = answers(new StoreSurvey(caller::statusWithDigests));
            seen.set(answers);
            var newest = answers.stream()
                    .flatMap(peer -> peer.digests().stream().limit(1))
                    .toList();
            return newest.size() == peers.size()
                            && newest.stream()
                                            .mapToLong(PeerStatus.DigestAt::index)
                                            .distinct()
                                            .count()
                                    == 1
                    ? Optional.of(
                            newest.stream().map(PeerStatus.DigestAt::digest).toList())
                    : Optional.empty();
        });
    }

    /** Looks again and again until there is something. */
    static <T> T await(String what, Supplier<Optional<T>> look) {
        return await(() -> what, look);
    }

    private static <T> T await(Supplier<String> what, Supplier<Optional<T>> look) {
        long since = System.nanoTime();
        while (System.nanoTime() - since < SOON.toNanos()) {
            var found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        throw new IllegalStateException("waited " + SOON + " in vain for " + what.get());
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
