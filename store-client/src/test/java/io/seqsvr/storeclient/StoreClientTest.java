package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How commands find the leader, and what becomes of those that do not. */
class StoreClientTest {
    private static final Renew RENEW = new Renew(7);
    private static final CloseSession CLOSE = new CloseSession(7);

    private final Loop loop = new Loop();

    @AfterEach
    void close() {
        loop.close();
    }

    private StoreClient client(FakePeer... peers) {
        return client(Duration.ofSeconds(5), peers);
    }

    private StoreClient client(Duration timeout, FakePeer... peers) {
        var addresses = Stream.of(peers).map(FakePeer::address).toList();
        return loop.result(() -> Future.succeededFuture(new StoreClient(loop.vertx(), addresses, timeout)));
    }

    private void assertNotSubmitted(String reason, StoreClient client) {
        var failure = assertInstanceOf(NotSubmittedException.class, loop.failure(() -> client.execute(RENEW)));
        assertTrue(String.valueOf(failure.getMessage()).contains(reason), failure.getMessage());
    }

    @Test
    void aPeerThatDoesNotLeadNamesTheLeaderAndLaterCommandsGoThereAtOnce() {
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var follower = new FakePeer(loop)
                .answers(command -> FakePeer.notLeader(leader.address().toString()));
        var client = client(follower, leader);
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(1, follower.commands().size());
        assertEquals(2, leader.commands().size());
    }

    @Test
    void twoPeersThatNameEachOtherAreNotAskedForEver() {
        var one = new FakePeer(loop);
        var other = new FakePeer(loop)
                .answers(command -> FakePeer.notLeader(one.address().toString()));
        one.answers(command -> FakePeer.notLeader(other.address().toString()));
        assertNotSubmitted("NOT_LEADER", client(one, other));
        assertEquals(3, one.commands().size() + other.commands().size());
    }

    @Test
    void whoKnowsNoLeaderIsFollowedByTheNextPeerAtOnce() {
        var one = new FakePeer(loop).answers(command -> FakePeer.notLeader(""));
        var elected = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(one, elected);
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
    }

    @Test
    void whereAMajorityKnowsNoLeaderNothingHappensAndNoneBesidesIsWaitedFor() {
        var one = new FakePeer(loop).answers(command -> FakePeer.notLeader(""));
        var other = new FakePeer(loop).answers(command -> FakePeer.notLeader(""));
        var frozen = new FakePeer(loop).answers(command -> FakePeer.never());
        assertNotSubmitted("NOT_LEADER", client(one, other, frozen));
        assertEquals(
                List.of(1, 1, 0),
                Stream.of(one, other, frozen)
                        .map(peer -> peer.commands().size())
                        .toList());
    }

    @Test
    void aPeerThatCannotBeConnectedToIsFollowedByTheNextAtOnce() {
        var dead = new FakePeer(loop);
        var alive = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(dead, alive);
        dead.die();
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
        assertEquals(List.of(), dead.commands());
    }

    @Test
    void whereNobodyListensNothingWasSent() {
        var dead = List.of(new FakePeer(loop), new FakePeer(loop));
        var client = client(dead.get(0), dead.get(1));
        dead.forEach(FakePeer::die);
        var failure = assertInstanceOf(RpcException.class, loop.failure(() -> client.execute(CLOSE)));
        assertTrue(failure.isUnsent(), failure.message());
    }

    @Test
    void aLeaderThatWasToldAndIsDeadIsFollowedByAnother() {
        var follower = new FakePeer(loop);
        var leader = new FakePeer(loop);
        follower.answers(command -> FakePeer.notLeader(leader.address().toString()));
        var client = client(follower, leader);
        loop.result(() -> client.execute(RENEW));
        leader.die();
        // The follower still names it, as it has not noticed.
        loop.failure(() -> client.execute(RENEW));
        follower.answers(command -> FakePeer.renewed(3));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
    }

    @Test
    void everyPeerHasItsTurnWhileNoneAnswers() {
        var peers = List.of(new FakePeer(loop), new FakePeer(loop), new FakePeer(loop));
        peers.forEach(peer -> peer.answers(command -> FakePeer.unknownOutcome()));
        var client = client(peers.get(0), peers.get(1), peers.get(2));
        for (int i = 0; i < 6; i++) {
            loop.failure(() -> client.execute(RENEW));
        }
        assertEquals(
                List.of(2, 2, 2),
                peers.stream().map(peer -> peer.commands().size()).toList());
    }

    @Test
    void aLateFailureOfAnEarlierPeerDoesNotTurnAwayFromTheOneThatAnswers() {
        Promise<ExecuteReply> late = Promise.promise();
        Promise<Void> arrived = Promise.promise();
        var one = new FakePeer(loop).answers(command -> {
            arrived.complete();
            return late.future();
        });
        var other = new FakePeer(loop);
        var client = client(one, other);
        var hanging = loop.start(() -> client.execute(CLOSE));
        Loop.await(arrived.future());
        one.answers(command -> FakePeer.unknownOutcome());
        loop.failure(() -> client.execute(RENEW));
        loop.result(() -> client.execute(RENEW));
        late.fail("the peer stopped");
        loop.failure(() -> hanging);
        loop.result(() -> client.execute(RENEW));
        assertEquals(2, other.commands().size());
    }

    @Test
    void aCommandOfUnknownOutcomeIsNotSentAgain() {
        var one = new FakePeer(loop).answers(command -> FakePeer.unknownOutcome());
        var other = new FakePeer(loop);
        var client = client(one, other);
        assertInstanceOf(RpcException.class, loop.failure(() -> client.execute(CLOSE)));
        assertEquals(1, one.commands().size());
        assertEquals(0, other.commands().size());
    }

    @Test
    void aCommandThatAFrozenPeerTookIsNotSentAgain() {
        var frozen = new FakePeer(loop).answers(command -> FakePeer.never());
        var other = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(Duration.ofSeconds(1), frozen, other);
        assertInstanceOf(RpcException.class, loop.failure(() -> client.execute(CLOSE)));
        assertEquals(0, other.commands().size());
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(1, frozen.commands().size());
    }

    @Test
    void aRefusalForAnotherReasonIsNeitherRetriedNorTakenForAFault() {
        var peer = new FakePeer(loop)
                .answers(command -> FakePeer.notSubmitted(NotSubmitted.newBuilder()
                        .setCause(NotSubmitted.Cause.TOO_LARGE)
                        .setDetail("names 2001 segments")));
        var other = new FakePeer(loop);
        var client = client(peer, other);
        assertNotSubmitted("names 2001 segments", client);
        assertNotSubmitted("names 2001 segments", client);
        assertEquals(2, peer.commands().size());
        assertEquals(0, other.commands().size());
    }

    @Test
    void theFirstAnswerTellsTheClusterAndLaterCommandsBearIt() {
        var peer = new FakePeer(loop);
        var client = client(peer);
        loop.result(() -> client.execute(RENEW));
        loop.result(() -> client.execute(RENEW));
        assertEquals("", peer.commands().get(0).getClusterId());
        assertEquals(FakePeer.CLUSTER, peer.commands().get(1).getClusterId());
    }

    @Test
    void anAnswerOfAnotherClusterIsNotTaken() {
        var peer = new FakePeer(loop);
        var client = client(peer);
        loop.result(() -> client.execute(RENEW));
        peer.answers(command -> Future.succeededFuture(FakePeer.reply("cluster-2", 9)));
        var refused = assertInstanceOf(IllegalStateException.class, loop.failure(() -> client.execute(RENEW)));
        assertEquals("StoreSvr is of cluster cluster-2, this process belongs to cluster-1", refused.getMessage());
    }

    @Test
    void aPeerOfAnotherClusterIsLeftForTheNext() {
        var replaced = new FakePeer(loop);
        var other = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(replaced, other);
        loop.result(() -> client.execute(RENEW));
        replaced.answers(
                command -> FakePeer.notSubmitted(NotSubmitted.newBuilder().setCause(NotSubmitted.Cause.OTHER_CLUSTER)));
        assertNotSubmitted("OTHER_CLUSTER", client);
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
    }

    @Test
    void anAnswerThatCannotBeReadLeavesTheOutcomeUnknown() {
        var peer = new FakePeer(loop)
                .answers(command -> Future.succeededFuture(ExecuteReply.newBuilder()
                        .setClusterId(FakePeer.CLUSTER)
                        .setReply(Reply.getDefaultInstance())
                        .build()));
        var client = client(peer);
        assertInstanceOf(IllegalArgumentException.class, loop.failure(() -> client.execute(RENEW)));
        peer.answers(command -> Future.succeededFuture(ExecuteReply.getDefaultInstance()));
        assertInstanceOf(IllegalArgumentException.class, loop.failure(() -> client.execute(RENEW)));
        peer.answers(command -> FakePeer.notLeader("nowhere"));
        assertFalse(loop.failure(() -> client.execute(RENEW)) instanceof RpcException);
    }

    @Test
    void aPeerThatAnswersNothingThatCanBeReadIsLeftForTheNext() {
        var empty = new FakePeer(loop)
                .answers(command -> Future.succeededFuture(
                        ExecuteReply.newBuilder().setClusterId(FakePeer.CLUSTER).build()));
        var strange = new FakePeer(loop).answers(command -> FakePeer.notLeader("nowhere"));
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(empty, strange, leader);
        assertInstanceOf(IllegalArgumentException.class, loop.failure(() -> client.execute(RENEW)));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
    }

    @Test
    void whatOnlyStoreSvrSendsIsNotSent() {
        var peer = new FakePeer(loop);
        var client = client(peer);
        assertThrows(IllegalArgumentException.class, () -> client.execute(new ExpireSession(7, 7)));
        assertEquals(List.of(), peer.commands());
    }

    @Test
    void aLeaderThatNoSettingsNameIsLeftWhenItDies() {
        var unlisted = new FakePeer(loop);
        var listed = new FakePeer(loop)
                .answers(command -> FakePeer.notLeader(unlisted.address().toString()));
        var client = client(listed);
        loop.result(() -> client.execute(RENEW));
        unlisted.die();
        listed.answers(command -> FakePeer.notLeader(""));
        loop.failure(() -> client.execute(RENEW));
        listed.answers(command -> FakePeer.renewed(3));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
    }

    @Test
    void aRenewalThatHangsAtOnePeerIsFollowedByOneAtAnother() {
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var frozen = new FakePeer(loop).answers(command -> FakePeer.never());
        var behind = new FakePeer(loop)
                .answers(command -> FakePeer.notLeader(frozen.address().toString()));
        var client = client(frozen, behind, leader);
        var first = loop.start(() -> client.execute(RENEW));
        var second = loop.start(() -> client.execute(RENEW));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertFalse(first.isComplete(), "it may still be answered, and count from its own sending");
        assertFalse(second.isComplete(), "a follower that had not heard sent it to the frozen one");
    }

    @Test
    void whileARenewalHangsAPeerThatIsGoneIsNotAskedOverAndOver() {
        var frozen = new FakePeer(loop).answers(command -> FakePeer.never());
        var gone = new FakePeer(loop);
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = client(frozen, gone, leader);
        gone.die();
        var hanging = loop.start(() -> client.execute(RENEW));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertFalse(hanging.isComplete());
    }

    @Test
    void thoseWhomSettingsNameAndWhoAreNoMembersAnyMoreHaveNoTurn() {
        var gone = List.of(new FakePeer(loop), new FakePeer(loop), new FakePeer(loop));
        var members = List.of(new FakePeer(loop), new FakePeer(loop), new FakePeer(loop));
        var told = WatchReply.newBuilder().setClusterId(FakePeer.CLUSTER);
        members.forEach(peer -> told.addPeers(peer.address().toString()));
        gone.get(0).answersWatches(request -> Future.succeededFuture(told.build()));
        var client = client(gone.get(0), gone.get(1), gone.get(2));
        loop.result(() -> client.watch(0, Duration.ofMillis(10)));
        gone.forEach(FakePeer::die);

        // The last of them leads, and then stands still.
        members.get(2).answers(command -> FakePeer.renewed(3));
        var leads = FakePeer.notLeader(members.get(2).address().toString());
        members.get(0).answers(command -> leads);
        members.get(1).answers(command -> leads);
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
        members.get(2).answers(command -> FakePeer.never());
        members.get(0).answers(command -> FakePeer.renewed(4));
        var hanging = loop.start(() -> client.execute(RENEW));
        assertEquals(new Renewed(4, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertFalse(hanging.isComplete());
    }

    /** A client that was told of these members by one whom its settings name. */
    private StoreClient clientOf(List<FakePeer> members, FakePeer... named) {
        var told = WatchReply.newBuilder().setClusterId(FakePeer.CLUSTER);
        members.forEach(peer -> told.addPeers(peer.address().toString()));
        named[0].answersWatches(request -> Future.succeededFuture(told.build()));
        var client = client(Duration.ofSeconds(1), named);
        loop.result(() -> client.watch(0, Duration.ofMillis(10)));
        return client;
    }

    @Test
    void afterTheDeathOfALeaderTheMembersThatAreLeftAreAskedAndNobodyBesides() {
        var former = List.of(new FakePeer(loop), new FakePeer(loop));
        var members = List.of(new FakePeer(loop), new FakePeer(loop), new FakePeer(loop));
        var client = clientOf(members, former.get(0), former.get(1));
        former.get(0)
                .answers(command -> FakePeer.notLeader(members.get(2).address().toString()));
        loop.result(() -> client.execute(CLOSE));
        former.forEach(peer -> peer.answers(command -> FakePeer.never()));
        int before = former.get(0).commands().size();

        // The last of them led; a former member may be anything by now, and would keep the command.
        members.get(2).answers(command -> FakePeer.unknownOutcome());
        loop.failure(() -> client.execute(CLOSE));
        members.get(2).die();
        members.get(0).answers(command -> FakePeer.notLeader(""));
        members.get(1).answers(command -> FakePeer.notLeader(""));
        assertNotSubmitted("NOT_LEADER", client);
        assertNotSubmitted("NOT_LEADER", client);
        members.get(1).answers(command -> FakePeer.renewed(4));
        assertEquals(new Renewed(4, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(before, former.get(0).commands().size());
        assertEquals(0, former.get(1).commands().size());
    }

    @Test
    void aPeerThatIsBehindAndNamesMembersWhoAreGoneDoesNotHideTheLeader() {
        var gone = List.of(new FakePeer(loop), new FakePeer(loop));
        var behind = new FakePeer(loop).answers(command -> FakePeer.notLeader(""));
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = clientOf(List.of(behind, gone.get(0), gone.get(1)), behind, leader);
        gone.forEach(FakePeer::die);
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertEquals(1, behind.commands().size());
    }

    @Test
    void aMemberThatHangsKeepsNobodyFromTheLeaderForEver() {
        var hanging = new FakePeer(loop).answers(command -> FakePeer.unknownOutcome());
        var gone = new FakePeer(loop);
        var behind = new FakePeer(loop).answers(command -> FakePeer.notLeader(""));
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var members = List.of(hanging, gone, behind);
        var client = clientOf(members, behind, leader);
        gone.die();
        for (int turns = 0; turns < members.size(); turns++) {
            loop.failure(() -> client.execute(CLOSE));
        }
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
    }

    @Test
    void whereEveryMemberThatIsKnownKeepsItsCommandsTheOthersHaveTheirTurn() {
        var silent = List.of(new FakePeer(loop), new FakePeer(loop));
        silent.forEach(peer -> peer.answers(command -> FakePeer.unknownOutcome()));
        var leader = new FakePeer(loop).answers(command -> FakePeer.renewed(3));
        var client = clientOf(silent, silent.get(0), leader);
        loop.failure(() -> client.execute(CLOSE));
        loop.failure(() -> client.execute(CLOSE));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(CLOSE)));
    }

    @Test
    void aCommandThatHangsDelaysNoRenewal() {
        Promise<ExecuteReply> late = Promise.promise();
        var peer = new FakePeer(loop);
        peer.answers(command -> command.getCommand().hasRenew() ? FakePeer.renewed(3) : late.future());
        var client = client(peer);
        var hanging = loop.start(() -> client.execute(CLOSE));
        assertEquals(new Renewed(3, 0, List.of()), loop.result(() -> client.execute(RENEW)));
        assertFalse(hanging.isComplete());
        late.complete(FakePeer.reply(FakePeer.CLUSTER, 4));
        assertEquals(new Renewed(4, 0, List.of()), Loop.await(hanging));
    }
}
