package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process while its cluster begins a new life, and peers of the former one that somebody forgot to stop. */
class StoreClientIncarnationTest {
    private static final Renew RENEW = new Renew(7);

    private final Loop loop = new Loop();
    private final FakePeer one = new FakePeer(loop);
    private final FakePeer other = new FakePeer(loop);
    private final StoreClient client =
            new StoreClient(loop.vertx(), List.of(one.address(), other.address()), Duration.ofSeconds(5));

    @AfterEach
    void close() {
        loop.close();
    }

    private static ExecuteReply renewed(int incarnation, long version) {
        return FakePeer.reply(FakePeer.CLUSTER, version).toBuilder()
                .setIncarnation(incarnation)
                .build();
    }

    private static ExecuteReply refused(int incarnation) {
        return ExecuteReply.newBuilder()
                .setClusterId(FakePeer.CLUSTER)
                .setIncarnation(incarnation)
                .setNotSubmitted(NotSubmitted.newBuilder().setCause(NotSubmitted.Cause.OTHER_INCARNATION))
                .build();
    }

    private static void is(FakePeer peer, int incarnation) {
        peer.answers(command -> Future.succeededFuture(
                command.hasIncarnation() && command.getIncarnation() != incarnation
                        ? refused(incarnation)
                        : renewed(incarnation, 10 + incarnation)));
    }

    private Renewed renewedIn(int incarnation) {
        return new Renewed(10 + incarnation, 0, List.of());
    }

    private void known(int incarnation) {
        is(one, incarnation);
        assertEquals(renewedIn(incarnation), loop.result(() -> client.execute(RENEW)));
    }

    @Test
    void theFirstAnswerTellsTheIncarnationAndLaterCommandsBearIt() {
        known(0);
        loop.result(() -> client.execute(RENEW));
        assertFalse(one.commands().get(0).hasIncarnation());
        assertTrue(one.commands().get(1).hasIncarnation());
        assertEquals(0, one.commands().get(1).getIncarnation());
    }

    @Test
    void aNewLifeIsGoneOnWithAfterOneCommandThatWasNotSubmitted() {
        known(0);
        is(one, 1);
        assertInstanceOf(NotSubmittedException.class, loop.failure(() -> client.execute(RENEW)));
        assertEquals(renewedIn(1), loop.result(() -> client.execute(RENEW)));
        assertEquals(List.of(), other.commands());
    }

    @Test
    void anAnswerOfAnOlderLifeIsNotTaken() {
        known(1);
        one.answers(command -> Future.succeededFuture(renewed(0, 9)));
        var refused = assertInstanceOf(IllegalStateException.class, loop.failure(() -> client.execute(RENEW)));
        assertEquals(
                "StoreSvr is of an older life of cluster cluster-1; this process has seen incarnation 1",
                refused.getMessage());
    }

    @Test
    void aPeerOfAnOlderLifeIsLeftForTheNext() {
        known(1);
        is(one, 0);
        is(other, 1);
        assertInstanceOf(NotSubmittedException.class, loop.failure(() -> client.execute(RENEW)));
        assertEquals(renewedIn(1), loop.result(() -> client.execute(RENEW)));
        assertEquals(1, other.commands().size());
    }

    @Test
    void aWatchTellsOfANewLifeTooAndAnOlderOneIsNotLookedAt() {
        known(0);
        one.answersWatches(watch -> Future.succeededFuture(WatchReply.newBuilder()
                .setClusterId(FakePeer.CLUSTER)
                .setIncarnation(1)
                .build()));
        loop.result(() -> client.watch(0, Duration.ofSeconds(1)));
        is(one, 1);
        assertEquals(renewedIn(1), loop.result(() -> client.execute(RENEW)));
        one.answersWatches(watch -> Future.succeededFuture(WatchReply.newBuilder()
                .setClusterId(FakePeer.CLUSTER)
                .setIncarnation(0)
                .build()));
        assertInstanceOf(IllegalStateException.class, loop.failure(() -> client.watch(0, Duration.ofSeconds(1))));
        is(other, 1);
        loop.result(() -> client.execute(RENEW));
        assertEquals(1, other.commands().size());
    }

    @Test
    void aPeerThatKnowsNoIncarnationYetIsNotRefusedForIt() {
        known(1);
        one.answers(command -> FakePeer.renewed(3));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        is(one, 1);
        assertEquals(renewedIn(1), loop.result(() -> client.execute(RENEW)));
    }
}
