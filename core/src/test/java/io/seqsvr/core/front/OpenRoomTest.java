package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import org.junit.jupiter.api.Test;

/** A namespace whose owners say nothing takes its own room, and not that of the others. */
class OpenRoomTest {
    private static final CallLimits LIMITS = new CallLimits(1, 3, 6, 4, CallsBench.PATIENCE);

    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    @Test
    void noMoreCallsAreTakenThanTheBound() {
        var bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
        for (long uid = 1; uid <= 6; uid++) {
            bench.next(uid);
        }
        long tooMany = bench.next(7);
        bench.drain();
        var answer = (Answer.Refused) bench.answerOf(tooMany).orElseThrow();
        assertEquals(Refusal.TOO_MANY_WAITING, answer.refusal());
        assertEquals(6, bench.calls.open());
    }

    @Test
    void callsOfOneNamespaceLeaveRoomForThoseOfOthers() {
        var shared = new CallsBench(LIMITS);
        for (long uid = 1; uid <= 4; uid++) {
            shared.next(uid);
        }
        long fifth = shared.next(5);
        long ofAnother = shared.put(new Call.Next("moments", 1, 1, 0));
        var frame = shared.onlyFrame();
        var refused = (Answer.Refused) shared.answerOf(fifth).orElseThrow();
        assertEquals(Refusal.TOO_MANY_WAITING, refused.refusal());
        assertTrue(refused.message().startsWith("4 calls of this caller to namespace messages"), refused::message);
        assertEquals(
                Refusal.NAMESPACE_UNKNOWN,
                ((Answer.Refused) shared.answerOf(ofAnother).orElseThrow()).refusal(),
                "it was taken, and looked for");
        shared.answer(frame, seq(1, 1), seq(2, 1), seq(3, 1));
        long sixth = shared.next(6);
        shared.drain();
        assertFalse(shared.hasEnded(sixth), "there is room again for this one too");
    }

    @Test
    void namesOfNamespacesThatDoNotExistAreNotKept() {
        var room = new OpenRoom(LIMITS);
        var kept = room.of("messages");
        room.open(kept, 1);
        for (int i = 0; i < 3 * OpenRoom.NAMES_KEPT; i++) {
            room.of("nothing-" + i);
        }
        assertTrue(room.names() <= OpenRoom.NAMES_KEPT, () -> room.names() + " names");
        assertSame(kept, room.of("messages"));
    }
}
