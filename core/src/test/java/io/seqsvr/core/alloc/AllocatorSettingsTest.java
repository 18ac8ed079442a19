package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An allocator while somebody makes and alters namespaces, and when the cluster begins a new life. */
class AllocatorSettingsTest {
    private final Namespace tight = new Namespace(1, "messages", 100, 10, 100, 20, 120);
    private final Bench bench = new Bench(new FakeStore(Bench.LEASE, tight), new TestClock(), "alloc-1");

    private void serve(int first, int last) {
        bench.tick();
        bench.assign(first, last);
    }

    private void alter(NamespaceChange change) {
        assertInstanceOf(
                StoreReply.NamespaceAltered.class,
                bench.store.execute(new StoreCommand.AlterNamespace("messages", change)));
    }

    @Test
    void aNewNamespaceIsServedWithoutARestart() {
        serve(0, 9);
        var created = assertInstanceOf(
                StoreReply.NamespaceCreated.class,
                bench.store.execute(new StoreCommand.CreateNamespace(
                        Namespace.ofDefaults(9, "moments").settings())));
        var asked = bench.allocator.next("moments", 3, 1, 0, 0, bench.clock.now());
        Bench.assertRefused(Refusal.NAMESPACE_UNKNOWN, bench.released(asked));
        bench.store.publish(new StoreCommand.Move(created.namespace().id(), 0, 0, bench.allocator.session()));
        bench.wake();
        var step = bench.allocator.next("moments", 3, 1, 0, 0, bench.clock.now());
        assertEquals(new Answer.Range(3, 1, 1, 1), bench.released(step));
    }

    @Test
    void aGreatestSequenceThatGrowsIsInForceInWhatIsServedAlready() {
        serve(0, 0);
        for (int i = 1; i <= 120; i++) {
            assertEquals(i, bench.next(3));
        }
        bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, 3);
        alter(NamespaceChange.NONE.withMaxSequence(125));
        bench.wake();
        for (int i = 121; i <= 125; i++) {
            assertEquals(
                    i,
                    assertInstanceOf(Answer.Range.class, bench.request(3, 1, 0, 0))
                            .last());
        }
        bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, 3);
        assertEquals(125, bench.store.segment(1, 0).maxSeq());
    }

    @Test
    void anOrderThatIsAlteredIsInForceWithTheNextRequest() {
        serve(0, 0);
        bench.next(3);
        bench.holdCommands();
        alter(NamespaceChange.NONE.withOrder(Order.QUORUM));
        bench.wake();
        long ticket = bench.waitFor(3, 1);
        alter(NamespaceChange.NONE.withOrder(Order.LEASE));
        bench.wake();
        assertEquals(3, bench.next(3));
        bench.assertStillWaits(ticket);
        bench.execute(bench.takeHeld(StoreCommand.Renew.class));
        assertEquals(new Answer.Range(3, 2, 2, 1), bench.outcome(ticket), "what waited is confirmed all the same");
    }

    @Test
    void settingsOfAnOlderPictureDoNotComeBack() {
        serve(0, 0);
        var older = bench.store.view();
        alter(NamespaceChange.NONE.withOrder(Order.QUORUM));
        bench.wake();
        bench.allocator.woken(older, bench.clock.now());
        bench.holdCommands();
        bench.waitFor(3, 1);
    }

    @Test
    void anOlderAnswerToAClaimDoesNotBringSettingsBackEither() {
        serve(0, 0);
        bench.holdCommands();
        bench.assign(1, 1);
        var claim = bench.takeHeld(StoreCommand.Claim.class);
        var claimed = bench.store.execute(claim.command());
        alter(NamespaceChange.NONE.withOrder(Order.QUORUM));
        bench.wake();
        bench.answer(claim, claimed);
        assertEquals(2, bench.allocator.segmentsOwned());
        bench.waitFor(3, 1);
        bench.waitFor(13, 1);
    }

    @Test
    void whenTheClusterBeginsANewLifeTheAllocatorDropsEverythingAndOpensAnew() {
        serve(0, 0);
        bench.next(3);
        var backup = bench.store.state().copy();
        bench.store.restore(backup, 1, 10);
        bench.wake();
        assertEquals(2, bench.next(3), "what a watch shows drops nothing");
        bench.passMillis(1_000);
        assertEquals(1, bench.events(SessionEvent.SessionLost.class).size());
        Bench.assertRefused(Refusal.NOT_OWNER, bench.request(3, 1));
        long former = bench.store.state().sessions().iterator().next().id();
        bench.store.expire(former);
        bench.assign(0, 0);
        assertEquals(new Answer.Range(3, 111, 111, (1L << 43) + 1), bench.request(3, 1));
    }

    @Test
    void aClaimOfTheFormerLifeIsLoadedAlsoIfTheRestoreTookTheGreatestSequenceBack() {
        serve(0, 0);
        var backup = bench.store.state().copy();
        alter(NamespaceChange.NONE.withMaxSequence(1_000));
        bench.holdCommands();
        bench.assign(1, 1);
        bench.store.execute(new StoreCommand.Raise(
                bench.allocator.session(), List.of(new StoreCommand.RaiseItem(new SegmentId(1, 1), 1, 900))));
        var claim = bench.takeHeld(StoreCommand.Claim.class);
        var claimed = bench.store.execute(claim.command());
        bench.store.restore(backup, 1, 900);
        bench.wake();
        bench.answer(claim, claimed);
        assertEquals(2, bench.allocator.segmentsOwned());
        assertEquals(1, bench.next(13), "its lease is still valid");
    }
}
