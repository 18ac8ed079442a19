package io.seqsvr.storesvr.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** By which rules a group changes. */
class GroupChangeTest {
    private static final OptionalLong THREE_SECONDS = OptionalLong.of(3_000_000_000L);

    private static RaftPeers.Peer peer(String id) {
        return new RaftPeers.Peer(id, new HostPort(id, 7712), new HostPort(id, 7711));
    }

    private static List<RaftPeers.Peer> group(String... ids) {
        return Arrays.stream(ids).map(GroupChangeTest::peer).toList();
    }

    private static GroupChange join(String id) {
        return new GroupChange(Optional.of(peer(id)), Optional.empty());
    }

    private static GroupChange replace(String old, String id) {
        return new GroupChange(Optional.of(peer(id)), Optional.of(old));
    }

    private static GroupChange remove(String id) {
        return new GroupChange(Optional.empty(), Optional.of(id));
    }

    private static GroupChange.Known known(List<RaftPeers.Peer> members, String... answering) {
        return new GroupChange.Known(members, Set.of(answering), Set.of(), THREE_SECONDS);
    }

    private static void assertAllowed(GroupChange change, GroupChange.Known known) {
        assertEquals(Optional.empty(), change.refusal(known));
        assertEquals(Optional.empty(), change.tooFewAnswer(known));
    }

    private static void assertRefused(String why, GroupChange change, GroupChange.Known known) {
        assertEquals(Optional.of(why), change.refusal(known));
    }

    @Test
    void aPeerComesGoesOrTakesAnothersPlace() {
        var three = group("n1", "n2", "n3");
        assertAllowed(join("n2"), known(group("n1"), "n1"));
        assertAllowed(replace("n3", "n4"), known(three, "n1", "n2"));
        assertAllowed(remove("n3"), known(three, "n1", "n2"));
        assertEquals(group("n1", "n2", "n4"), replace("n3", "n4").after(three));
    }

    @Test
    void aChangeThatWasMadeIsNotMadeAgain() {
        assertTrue(replace("n3", "n4").isDone(group("n1", "n2", "n4")));
        assertTrue(join("n4").isDone(group("n1", "n4")));
        assertFalse(replace("n3", "n4").isDone(group("n1", "n2", "n3")));
        // Whether it was this change that took it out, or whether it was ever in, nobody can say.
        assertFalse(remove("n3").isDone(group("n1", "n2")));
    }

    @Test
    void anIdIsNeverUsedAgain() {
        var three = group("n1", "n2", "n3");
        assertRefused(
                "n3 is in the group already, at n3:7711 and, for Raft, n3:7712; a new peer needs an id of its own,"
                        + " and if it is this one, its settings have to say so",
                replace("n3", "n3"),
                known(three, "n1", "n2"));
        // It took n3's place, and asks again from elsewhere: that n3 is gone is not what is wrong.
        var elsewhere = new RaftPeers.Peer("n4", new HostPort("n4", 7712), new HostPort("localhost", 7711));
        assertRefused(
                "n4 is in the group already, at n4:7711 and, for Raft, n4:7712; a new peer needs an id of its own,"
                        + " and if it is this one, its settings have to say so",
                new GroupChange(Optional.of(elsewhere), Optional.of("n3")),
                known(group("n1", "n2", "n4"), "n1", "n2"));
        assertRefused(
                "n0 was in the group before; an id is never used again, choose another",
                join("n0"),
                new GroupChange.Known(three, Set.of("n1", "n2", "n3"), Set.of("n0"), THREE_SECONDS));
    }

    @Test
    void anAddressBelongsToOnePeer() {
        var squatter = new RaftPeers.Peer("n4", new HostPort("n4", 7712), new HostPort("n1", 7711));
        assertRefused(
                "the address of n4 is that of n1; choose another",
                new GroupChange(Optional.of(squatter), Optional.empty()),
                known(group("n1"), "n1"));
    }

    @Test
    void whoIsNotInTheGroupCannotLeaveIt() {
        assertRefused("n9 is not in the group, which is n1, n2", remove("n9"), known(group("n1", "n2"), "n1", "n2"));
        assertRefused("n9 is not in the group, which is n1", replace("n9", "n2"), known(group("n1"), "n1"));
    }

    @Test
    void theLastPeerStays() {
        assertRefused(
                "it is the last peer of the group; without it there is no store",
                remove("n1"),
                known(group("n1"), "n1"));
    }

    @Test
    void whatRemainsMustBeAMajorityOfItself() {
        var one = known(group("n1", "n2", "n3"), "n1", "n2");
        assertEquals(
                Optional.of("of the new group (n1, n3) only 1 answer; it needs 2 to take a command. Start the others,"
                        + " or ask again when they answer"),
                remove("n2").tooFewAnswer(one));
        assertEquals(
                Optional.empty(), remove("n2").refusal(one), "against no rule: who is silent for a moment may answer");
        assertAllowed(remove("n3"), known(group("n1", "n2", "n3"), "n1", "n2"));
    }

    @Test
    void aGroupOfTwoGrowsBeforeItShrinks() {
        assertRefused(
                "a group of 2 cannot replace a peer in one change; let the new one join, then remove n2",
                replace("n2", "n3"),
                known(group("n1", "n2"), "n1", "n2"));
    }

    @Test
    void leasesOutlastAnElection() {
        assertRefused(
                "the cluster's ttl is 500 ms; with several peers it must be above the election time of 600 ms",
                join("n2"),
                new GroupChange.Known(group("n1"), Set.of("n1"), Set.of(), OptionalLong.of(500_000_000L)));
    }
}
