package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.cli.SegmentMove.Segments;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom a move asks, how often, and what it says of those who did not begin. */
final class SegmentMoveTest {
    private static final long SECOND = 1_000_000_000;
    private static final Member A1 = member(11, "a1", false);
    private static final Member A2 = member(12, "a2", false);
    private static final Member RECEIVER = member(13, "a3", false);

    private static final RouteRange FIRST = new RouteRange(1, 0, 4, 11, 3);
    private static final RouteRange SECOND_HALF = new RouteRange(1, 5, 9, 12, 3);
    private static final RouteRange OTHER_NAMESPACE = new RouteRange(2, 0, 9, 11, 3);

    private final List<String> ordered = new ArrayList<>();
    private final Map<String, StoreFailure> failures = new HashMap<>();
    private final SegmentMove move =
            new SegmentMove(1, List.of(new Segments(2, 2), new Segments(4, 6)), RECEIVER, (owner, segments) -> {
                ordered.add(owner.name()
                        + segments.stream()
                                .map(range -> " " + range.first() + "-" + range.last())
                                .reduce("", String::concat));
                if (failures.containsKey(owner.name())) {
                    throw failures.get(owner.name());
                }
            });

    private static Member member(long session, String name, boolean leaving) {
        return new Member(session, SessionKind.ALLOCATOR, name, name + ":1", 5, false, leaving, true);
    }

    private static StoreView view(Member receiver, RouteRange... ranges) {
        return new StoreView(
                9,
                new LeaseTerms(3_000_000_000L, 100),
                List.of(),
                List.of(A1, A2, receiver),
                9,
                new RouteTable(9, List.of(ranges)),
                RouteTable.EMPTY);
    }

    private static StoreView before() {
        return view(RECEIVER, FIRST, SECOND_HALF, OTHER_NAMESPACE);
    }

    /** All but segment 2, which is still at a1. */
    private static StoreView nearlyDone() {
        return view(
                RECEIVER,
                new RouteRange(1, 0, 3, 11, 3),
                new RouteRange(1, 4, 6, 13, 4),
                new RouteRange(1, 7, 9, 12, 3),
                OTHER_NAMESPACE);
    }

    @Test
    void eachOwnerIsAskedForWhatItHas() throws StoreFailure {
        move.begin(before(), 0);
        assertEquals(List.of("a1 2-2 4-4", "a2 5-6"), ordered);
        assertEquals(4, move.left(before()));
        assertEquals(1, move.left(nearlyDone()));
    }

    /** One lost message is enough, and the owner keeps the segment without a word. */
    @Test
    void whatIsStillElsewhereIsOrderedAgainEveryFewSeconds() throws StoreFailure {
        move.begin(before(), 0);
        ordered.clear();
        move.again(before(), 2 * SECOND);
        assertEquals(List.of(), ordered);
        move.again(nearlyDone(), 3 * SECOND);
        move.again(nearlyDone(), 4 * SECOND);
        assertEquals(List.of("a1 2-2"), ordered);
        move.again(nearlyDone(), 6 * SECOND);
        assertEquals(List.of("a1 2-2", "a1 2-2"), ordered);
    }

    @Test
    void allOwnersAreAskedAndThoseThatDidNotBeginAreNamed() {
        failures.put("a1", StoreFailure.unknownOutcome("a1 (a1:1) may have begun: no answer", "seqsvr nodes"));
        var failure = assertThrows(StoreFailure.class, () -> move.begin(before(), 0));
        assertEquals(List.of("a1 2-2 4-4", "a2 5-6"), ordered);
        assertEquals(
                "the outcome is unknown: a1 (a1:1) may have begun: no answer; look with 'seqsvr nodes', or repeat the"
                        + " command, which is harmless; a2 began, and what is on its way goes on",
                failure.getMessage());
        assertEquals(ExitCode.UNAVAILABLE, failure.exitCode());
    }

    @Test
    void whereAllSayNoNothingWasChanged() {
        failures.put("a1", StoreFailure.refused("a1 (a1:1) did not begin: it has no session yet"));
        failures.put("a2", StoreFailure.refused("a2 (a2:1) did not begin: it has no session yet"));
        var failure = assertThrows(StoreFailure.class, () -> move.begin(before(), 0));
        assertEquals(
                "a1 (a1:1) did not begin: it has no session yet; a2 (a2:1) did not begin: it has no session yet",
                failure.getMessage());
        assertEquals(ExitCode.FAILED, failure.exitCode());
    }

    @Test
    void whatIsNotDoneInTimeIsNotSaidToGoOnByItself() throws StoreFailure {
        move.begin(before(), 0);
        assertEquals(
                "1 segments are not at a3 yet; what is on its way goes on, the rest stays: 'seqsvr nodes' shows how far"
                        + " it is, and the command may be repeated",
                move.unfinished(nearlyDone(), 1));
        failures.put("a1", StoreFailure.unavailable("a1 (a1:1) did not begin: refused"));
        move.again(nearlyDone(), 3 * SECOND);
        assertEquals(
                "1 segments are not at a3 yet (a1 (a1:1) did not begin: refused); what is on its way goes on, the rest"
                        + " stays: 'seqsvr nodes' shows how far it is, and the command may be repeated",
                move.unfinished(nearlyDone(), 1));
        assertEquals(
                "4 segments are not at a3, and stay where they are: a3 is given nothing more, as it drains, stops, was"
                        + " expelled or has ended",
                move.unfinished(view(member(13, "a3", true), FIRST, SECOND_HALF), 4));
    }
}
