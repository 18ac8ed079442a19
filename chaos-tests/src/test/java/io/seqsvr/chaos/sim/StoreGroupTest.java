package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StoreGroupTest {
    private static final SegmentId SEGMENT = new SegmentId(1, 0);
    /** In a calm store every command is committed by then, and no session has expired. */
    private static final long SOON = 10 * Nanos.MILLI;
    /** By then somebody is elected, and whoever was deposed knows. */
    private static final long LATER = 20 * Nanos.SECOND;

    private final Agenda agenda = new Agenda();
    private final List<Machine> machines = IntStream.range(0, Mix.PEERS)
            .mapToObj(peer -> new Machine(agenda, new SplittableRandom(peer), new MachineClocks(1, 0)))
            .toList();
    private final List<StoreReply> answers = new ArrayList<>();
    private int notLeader;
    private StoreGroup group = group(1);

    private StoreGroup group(long seed) {
        return new StoreGroup(agenda, new SplittableRandom(seed), Mixes.calm(), machines, Guards.ALL, new Tally());
    }

    private void ask(int peer, StoreCommand command) {
        group.peer(peer).execute(command, new Asker() {
            @Override
            public void answer(int from, StoreReply reply) {
                assertEquals(peer, from);
                answers.add(reply);
            }

            @Override
            public void redirect(int from) {
                assertEquals(peer, from);
                notLeader++;
            }
        });
    }

    private static StoreCommand open(int number) {
        return new StoreCommand.OpenSession(SessionKind.ALLOCATOR, number, "alloc-" + number, "host-" + number + ":1");
    }

    private void pass(long nanos) {
        agenda.runUntil(agenda.now() + nanos);
    }

    @Test
    void theLeaderCommitsAndAnswersAndNotAtOnce() {
        assertEquals(0, group.leader());
        ask(0, open(1));
        assertEquals(List.of(), answers);
        assertEquals(0, group.state().sessions().size());
        pass(SOON);
        assertEquals(1, answers.size());
        assertTrue(answers.get(0) instanceof StoreReply.SessionOpened, answers::toString);
        assertEquals(1, group.state().sessions().size());
    }

    @Test
    void aPeerThatDoesNotLeadSaysSoAndCommitsNothing() {
        ask(1, open(1));
        ask(2, open(2));
        pass(SOON);
        assertEquals(2, notLeader);
        assertEquals(List.of(), answers);
        assertEquals(0, group.state().sessions().size());
        assertEquals(0, group.hint(1));
    }

    @Test
    void commandsAreCommittedInTheOrderOfTheLog() {
        group.goSlow(Nanos.HOUR);
        for (int floor = 1; floor <= 50; floor++) {
            ask(0, new StoreCommand.RaiseFloor(SEGMENT, floor));
        }
        pass(Nanos.HOUR);
        var expected = IntStream.rangeClosed(1, 50)
                .mapToObj(StoreReply.FloorRaised::new)
                .toList();
        assertEquals(expected, answers);
        assertEquals(50, group.maxSeq(SEGMENT));
    }

    @Test
    void whatWasUnderWayAtAChangeOfTermIsCommittedOrNotAndNeverAnswered() {
        int committed = 0;
        int proposed = 0;
        for (int round = 1; round <= 40; round++) {
            group = group(round);
            for (int number = 0; number < 5; number++) {
                ask(0, open(number));
                proposed++;
            }
            group.depose(round % 2 == 0);
            pass(SOON);
            committed += group.state().sessions().size();
            pass(LATER);
        }
        assertEquals(List.of(), answers);
        int all = proposed;
        int some = committed;
        assertTrue(some > all / 4 && some < all * 3 / 4, () -> some + " of " + all + " were committed");
    }

    @Test
    void aDeposedLeaderThatKnowsSendsCallersAway() {
        group.depose(true);
        assertEquals(-1, group.leader());
        ask(0, open(1));
        assertEquals(1, notLeader);
    }

    @Test
    void aDeposedLeaderThatDoesNotKnowAnswersNothingAndCommitsNothing() {
        int othersElected = 0;
        for (int round = 1; round <= 40; round++) {
            group = group(round);
            notLeader = 0;
            group.depose(false);
            ask(0, open(1));
            assertEquals(0, notLeader, "it does not know");
            pass(SOON);
            assertEquals(0, group.state().sessions().size());
            while (group.leader() < 0) {
                pass(SOON);
            }
            if (group.leader() != 0) {
                othersElected++;
                ask(0, open(2));
                pass(SOON);
                assertEquals(0, group.state().sessions().size());
                pass(LATER);
                ask(0, open(3));
                assertTrue(notLeader > 0, "it knows by now");
            }
        }
        assertEquals(List.of(), answers);
        assertTrue(othersElected > 10, othersElected + " times somebody else was elected");
    }

    @Test
    void somebodyIsElectedSoonAndLeads() {
        for (int round = 1; round <= 20; round++) {
            group.depose(true);
            pass(2 * Nanos.SECOND);
            assertNotEquals(-1, group.leader());
            answers.clear();
            ask(group.leader(), new StoreCommand.RaiseFloor(SEGMENT, round));
            pass(SOON);
            assertEquals(List.of(new StoreReply.FloorRaised(round)), answers);
        }
    }

    @Test
    void whoStandsStillOrIsDownIsNotElected() {
        machines.get(0).pause(Nanos.HOUR);
        group.peer(1).kill(Nanos.HOUR);
        group.depose(true);
        pass(2 * Nanos.SECOND);
        assertEquals(2, group.leader());
        machines.get(2).pause(LATER);
        group.depose(true);
        pass(LATER - Nanos.SECOND);
        assertEquals(-1, group.leader());
        assertEquals(1, group.hint(1), "nobody is known to lead");
        pass(LATER);
        assertEquals(2, group.leader());
    }

    @Test
    void aLeaderThatDiesLeadsNoMoreAndComesBackAsAFollower() {
        ask(0, open(1));
        group.peer(0).kill(100 * Nanos.MILLI);
        assertEquals(-1, group.leader());
        ask(0, open(2));
        pass(150 * Nanos.MILLI);
        assertEquals(List.of(), answers);
        assertEquals(0, notLeader, "nobody was there to say so");
        ask(0, open(3));
        assertEquals(1, notLeader);
    }

    @Test
    void aLeaderThatStandsStillAnswersWhenItGoesOn() {
        ask(0, new StoreCommand.RaiseFloor(SEGMENT, 5));
        machines.get(0).pause(Nanos.SECOND);
        pass(Nanos.SECOND - 1);
        assertEquals(5, group.maxSeq(SEGMENT));
        assertEquals(List.of(), answers);
        pass(1);
        assertEquals(List.of(new StoreReply.FloorRaised(5)), answers);
    }

    @Test
    void withoutAQuorumNothingIsCommittedUntilItIsBack() {
        ask(0, new StoreCommand.RaiseFloor(SEGMENT, 5));
        group.goDown(Nanos.SECOND);
        ask(0, new StoreCommand.RaiseFloor(SEGMENT, 6));
        pass(Nanos.SECOND - 1);
        assertEquals(0, group.maxSeq(SEGMENT));
        pass(SOON);
        assertEquals(6, group.maxSeq(SEGMENT));
        assertEquals(2, answers.size());
    }

    @Test
    void aSlowStoreTakesLongAndAHealedOneDoesNot() {
        group.goSlow(Nanos.HOUR);
        for (int floor = 1; floor <= 20; floor++) {
            ask(0, new StoreCommand.RaiseFloor(SEGMENT, floor));
        }
        pass(SOON);
        assertTrue(answers.size() < 20, answers::toString);
        pass(Nanos.SECOND);
        assertEquals(20, answers.size());
        group.heal();
        ask(0, new StoreCommand.RaiseFloor(SEGMENT, 21));
        pass(SOON);
        assertEquals(21, answers.size());
    }

    @Test
    void aSessionThatIsNotRenewedExpiresByTheLeadersTimer() {
        ask(0, open(1));
        pass(Mix.LEASE.granterNanos() - Nanos.SECOND);
        assertEquals(1, group.state().sessions().size());
        pass(2 * Nanos.SECOND);
        assertEquals(0, group.state().sessions().size());
    }

    /** It keeps its place, and renewals that came meanwhile may wait: so that time does not count. */
    @Test
    void theTimeInWhichALeaderStandsStillCountsForNoSessionAtMostAsLongAsItsTimer() {
        ask(0, open(1));
        for (int round = 0; round < 6; round++) {
            machines.get(0).pause(900 * Nanos.MILLI);
            pass(Nanos.SECOND);
            assertEquals(0, group.leader());
        }
        assertEquals(1, group.state().sessions().size());
        for (int round = 0; round < 3; round++) {
            machines.get(0).pause(900 * Nanos.MILLI);
            pass(Nanos.SECOND);
        }
        assertEquals(0, group.state().sessions().size());
    }

    @Test
    void aWatchTellsWhatChangedAndNothingElse() {
        var views = new ArrayList<StoreView>();
        group.peer(1).watch(new PeerView.Poll(group.view().version(), views::add));
        pass(SOON);
        assertEquals(0, views.size());
        ask(0, open(1));
        pass(SOON);
        assertEquals(1, views.size());
        assertEquals(group.view(), views.get(0));
        long session = group.state().sessions().iterator().next().id();
        ask(0, new StoreCommand.Renew(session));
        pass(SOON);
        group.peer(1).watch(new PeerView.Poll(group.view().version(), views::add));
        ask(0, new StoreCommand.Renew(session));
        pass(SOON);
        assertEquals(1, views.size());
        assertFalse(answers.isEmpty());
    }

    @Test
    void aRestoredStoreGoesBackToItsBackupButNoBoundDoes() {
        var backup = group.state().copy();
        ask(0, open(1));
        ask(0, new StoreCommand.RaiseFloor(SEGMENT, 50));
        pass(SOON);
        var before = group.view();
        group.restore(backup, 3, Nanos.SECOND);
        assertEquals(53, group.maxSeq(SEGMENT));
        assertEquals(1, group.view().incarnation());
        assertTrue(group.view().version() > before.version());
        assertEquals(1, group.state().sessions().size(), "the one that stands for the former life");
        assertEquals(-1, group.leader());
        assertTrue(machines.stream().allMatch(Machine::isDown));
        pass(LATER);
        assertEquals(0, group.state().sessions().size());
        assertNotEquals(-1, group.leader());
    }

    @Test
    void whatWasUnderWayWhenTheStoreWasLostIsLostWithIt() {
        for (int round = 1; round <= 20; round++) {
            group = group(round);
            var backup = group.state().copy();
            ask(0, new StoreCommand.RaiseFloor(SEGMENT, 50));
            group.restore(backup, 3, 0);
            pass(LATER);
            assertEquals(3, group.maxSeq(SEGMENT));
            machines.forEach(Machine::start);
        }
        assertEquals(List.of(), answers);
    }
}
