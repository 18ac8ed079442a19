package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreReply.Claimed;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.SessionGone;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a session learns from StoreSvr what it owns. */
class ClaimRulesTest {
    private final FakeStore store = new FakeStore(
            new LeaseTerms(2_000_000_000L, 50), new Namespace(1, "messages", 9_000, 1, 100, 10, Long.MAX_VALUE));
    private final long alice = store.open("alice");
    private final long bob = store.open("bob");

    private Claimed claim(long session, long since) {
        return assertInstanceOf(Claimed.class, store.execute(new Claim(session, since)));
    }

    private static ClaimedSegment segment(int index, long epoch, long base, long maxSeq) {
        return new ClaimedSegment(new SegmentId(1, index), epoch, base, false, maxSeq, false);
    }

    @Test
    void aNewSessionOwnsNothingButLearnsTheNamespaces() {
        assertEquals(
                new Claimed(
                        List.of(),
                        0,
                        false,
                        store.view().version(),
                        List.copyOf(store.state().namespaces())),
                claim(alice, 0));
    }

    @Test
    void aClaimTellsEpochBaseAndMaxSeqOfWhatTheSessionOwns() {
        store.publish(new Move(1, 0, 1, alice), new Move(1, 2, 2, bob));
        store.expire(alice);
        long carol = store.open("carol");
        long version = store.publish(new Move(1, 1, 1, carol));
        store.execute(new StoreCommand.Raise(carol, List.of(new StoreCommand.RaiseItem(new SegmentId(1, 1), 2, 900))));
        var claimed = claim(carol, 0);
        assertEquals(List.of(segment(1, 2, 100, 900)), claimed.segments());
        assertEquals(version, claimed.through());
        assertFalse(claimed.more());
    }

    @Test
    void aClaimSinceAVersionTellsOnlyWhatIsNewer() {
        long first = store.publish(new Move(1, 0, 1, alice));
        long second = store.publish(new Move(1, 2, 2, alice));
        assertEquals(3, claim(alice, 0).segments().size());
        assertEquals(List.of(segment(2, 1, 0, 100)), claim(alice, first).segments());
        assertEquals(List.of(), claim(alice, second).segments());
        assertEquals(second, claim(alice, second).through());
    }

    @Test
    void aClaimChangesNothing() {
        store.publish(new Move(1, 0, 1, alice));
        var before = Rows.of(store.state());
        claim(alice, 0);
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void anEndedSessionClaimsNothing() {
        store.publish(new Move(1, 0, 1, alice));
        store.expire(alice);
        assertEquals(new SessionGone(alice), store.execute(new Claim(alice, 0)));
        assertEquals(new SessionGone(999), store.execute(new Claim(999, 0)));
    }

    @Test
    void manySegmentsComeInPagesByVersion() {
        var versions = List.of(
                store.publish(new Move(1, 0, 1_499, alice)),
                store.publish(new Move(1, 1_500, 2_999, alice)),
                store.publish(new Move(1, 3_000, 4_999, alice)),
                store.publish(new Move(1, 5_000, 5_000, alice)),
                store.publish(new Move(1, 5_001, 7_000, bob)));
        var pages = new ArrayList<Integer>();
        var ends = new ArrayList<Long>();
        var all = new ArrayList<SegmentId>();
        long since = 0;
        boolean more = true;
        while (more) {
            var claimed = claim(alice, since);
            claimed.segments().forEach(segment -> all.add(segment.segment()));
            pages.add(claimed.segments().size());
            ends.add(claimed.through());
            since = claimed.through();
            more = claimed.more();
        }
        assertEquals(List.of(1_500, 1_500, 2_000, 1), pages, "a version is never split");
        assertEquals(versions.subList(0, 4), ends);
        assertEquals(5_001, all.size());
        for (int index = 0; index <= 5_000; index++) {
            assertEquals(new SegmentId(1, index), all.get(index));
        }
    }

    @Test
    void aPageTakesAsManyVersionsAsFit() {
        for (int index = 0; index < 2_003; index++) {
            store.publish(new Move(1, index, index, alice));
        }
        var first = claim(alice, 0);
        assertEquals(2_000, first.segments().size());
        assertTrue(first.more());
        var second = claim(alice, first.through());
        assertEquals(3, second.segments().size());
        assertFalse(second.more());
    }

    @Test
    void exactlyTwoThousandSegmentsAreOnePage() {
        store.publish(new Move(1, 0, 999, alice));
        store.publish(new Move(1, 1_000, 1_999, alice));
        var claimed = claim(alice, 0);
        assertEquals(2_000, claimed.segments().size());
        assertFalse(claimed.more());
    }

    @Test
    void whatIsAssignedBetweenTwoPagesIsNotLost() {
        store.publish(new Move(1, 0, 1_999, alice));
        store.publish(new Move(1, 2_000, 2_999, alice));
        var first = claim(alice, 0);
        long version = store.publish(new Move(1, 3_000, 3_500, alice));
        var second = claim(alice, first.through());
        assertEquals(1_501, second.segments().size());
        assertEquals(version, second.through());
    }
}
