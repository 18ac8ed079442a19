package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node owns is what it serves: not what it gave back, though that stands under its name in the table. */
final class NodesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final long DRAINED = 11;
    private static final long OTHER = 12;
    private static final long ENDED = 7;

    private static StoreView view(List<RouteRange> routes, List<RouteRange> released) {
        return view(List.of(member(DRAINED, "a1"), member(OTHER, "a2")), routes, released);
    }

    private static StoreView view(List<Member> members, List<RouteRange> routes, List<RouteRange> released) {
        return new StoreView(9, LEASE, List.of(), members, 9, new RouteTable(9, routes), new RouteTable(9, released));
    }

    private static Member member(long session, String name) {
        return new Member(session, SessionKind.ALLOCATOR, name, name + ":1", 5, false, session == DRAINED, true);
    }

    @Test
    void whatTheLastAllocatorGaveBackIsNobodysSoThatItsDrainEnds() {
        var all = List.of(new RouteRange(1, 0, 9, DRAINED, 3), new RouteRange(2, 0, 4, DRAINED, 3));
        var view = view(all, all);
        assertEquals(0, Nodes.segments(view, DRAINED));
        assertEquals(15, Nodes.givenBack(view, DRAINED));
        assertEquals(Optional.empty(), Nodes.owner(view, new SegmentId(2, 4)));
    }

    /** Between two owners for a moment, as with a receiver that refused them: their users are about to be served. */
    @Test
    void aDrainWaitsForWhatItGaveBackWhereOthersAreThere() {
        var all = List.of(new RouteRange(1, 0, 9, DRAINED, 3));
        assertEquals(10, Nodes.notTaken(view(all, all), DRAINED));
        assertEquals(0, Nodes.notTaken(view(List.of(member(DRAINED, "a1")), all, all), DRAINED));
    }

    @Test
    void anAllocatorThatDiesWhileItIsDrainedHasHandedNothingOver() throws StoreFailure {
        var drained = member(DRAINED, "a1");
        var others = List.of(member(OTHER, "a2"));
        var its = List.of(new RouteRange(1, 0, 9, DRAINED, 3));
        var theirs = List.of(new RouteRange(1, 0, 9, OTHER, 4));
        var dies = new DrainCommand.Emptied(drained, 10);
        assertEquals(10, dies.left(view(others, its, List.of())));
        assertEquals(0, dies.left(view(others, theirs, List.of())));
        var told = assertThrows(StoreFailure.class, dies::requireHandedOver);
        assertEquals(ExitCode.UNAVAILABLE, told.exitCode());
        var stopsLater = new DrainCommand.Emptied(drained, 10);
        assertEquals(0, stopsLater.left(view(List.of(drained, others.get(0)), theirs, List.of())));
        assertEquals(0, stopsLater.left(view(others, theirs, List.of())));
        stopsLater.requireHandedOver();
    }

    @Test
    void ofANodeThatGaveBackSomeOnlyThatIsTakenAway() {
        var view = view(
                List.of(new RouteRange(1, 0, 9, DRAINED, 3), new RouteRange(1, 10, 19, OTHER, 4)),
                List.of(new RouteRange(1, 2, 4, DRAINED, 3), new RouteRange(1, 15, 15, OTHER, 4)));
        assertEquals(7, Nodes.segments(view, DRAINED));
        assertEquals(3, Nodes.givenBack(view, DRAINED));
        assertEquals(9, Nodes.segments(view, OTHER));
        assertEquals("a1", ownerOf(view, 1));
        assertEquals("nobody", ownerOf(view, 2));
        assertEquals("nobody", ownerOf(view, 4));
        assertEquals("a1", ownerOf(view, 5));
        assertEquals("a2", ownerOf(view, 19));
        assertEquals("nobody", ownerOf(view, 20));
    }

    @Test
    void aSessionThatHasEndedOwnsNothing() {
        assertEquals("nobody", ownerOf(view(List.of(new RouteRange(1, 0, 9, ENDED, 3)), List.of()), 0));
    }

    private static String ownerOf(StoreView view, int segment) {
        return Nodes.owner(view, new SegmentId(1, segment)).map(Member::name).orElse("nobody");
    }

    @Test
    void aDrainSaysWhatBecameOfTheSegments() {
        assertEquals("a1 owns nothing any more; it handed over 5 segments", DrainCommand.words("a1", 5, 0));
        assertEquals(
                "a1 owns nothing any more; it handed over 3 segments and gave back 2, which nobody has taken: their"
                        + " users are not served",
                DrainCommand.words("a1", 5, 2));
        assertEquals(
                "a1 owns nothing any more; it handed over 0 segments and gave back 5, which nobody has taken: their"
                        + " users are not served",
                DrainCommand.words("a1", 0, 5));
    }

    /** Names may be digits, and look like the address of another one: an older node is not meant by accident. */
    @Test
    void aNameIsMeantBeforeAnAddressAndAnAddressBeforeASession() throws StoreFailure {
        var members = List.of(at(21, "23", "a2:1"), at(22, "a2:1", "22:1"), at(23, "a3", "24"), at(24, "21", "a4:1"));
        var view = view(members, List.of(), List.of());
        assertEquals(24, Nodes.allocator(view, "21").id());
        assertEquals(21, Nodes.allocator(view, "23").id());
        assertEquals(22, Nodes.allocator(view, "a2:1").id());
        assertEquals(23, Nodes.allocator(view, "24").id());
        assertEquals(22, Nodes.allocator(view, "22").id());
        assertThrows(StoreFailure.class, () -> Nodes.allocator(view, "a5"));
    }

    private static Member at(long session, String name, String address) {
        return new Member(session, SessionKind.ALLOCATOR, name, address, 5, false, false, true);
    }
}
