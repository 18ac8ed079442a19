package io.seqsvr.storesvr.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreChange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the log of a peer says of sessions. */
class SessionLinesTest {
    private static final LeaseTerms TERMS = new LeaseTerms(1_500_000_000L, 100);
    private static final long OPENED = Stamp.of(1, 7, 2);

    private final SessionLines lines = new SessionLines();

    private static Session session(long id, boolean expelled) {
        return new Session(id, SessionKind.ALLOCATOR, 5, "a1", "10.0.0.11:7721", TERMS, id, 0, expelled, false);
    }

    @Test
    void eachSaysWhoItIs() {
        lines.begin(-1);
        var who = " session=" + OPENED + " kind=allocator name=a1 address=10.0.0.11:7721";
        assertEquals(
                Optional.of("event=session_opened" + who),
                lines.of(OPENED, new StoreChange.PutSession(session(OPENED, false))));
        assertEquals(
                Optional.empty(),
                lines.of(Stamp.of(1, 8, 0), new StoreChange.PutSession(session(OPENED, false))),
                "a renewal has no line");
        assertEquals(
                Optional.of("event=session_expelled" + who),
                lines.of(Stamp.of(1, 9, 0), new StoreChange.PutSession(session(OPENED, true))));
        assertEquals(
                Optional.of("event=session_ended" + who),
                lines.of(Stamp.of(1, 10, 0), new StoreChange.RemoveSession(OPENED)));
        assertEquals("session=" + OPENED, lines.who(OPENED), "it is known no longer");
    }

    /** A start applies what came after its snapshot once more; its sessions came from there. */
    @Test
    void whatStoodInTheLogBeforeIsMarked() {
        lines.open(List.of(session(OPENED, false)));
        var who = " session=" + OPENED + " kind=allocator name=a1 address=10.0.0.11:7721";
        assertEquals(
                Optional.of("event=session_ended" + who + " replayed=yes"),
                lines.of(Stamp.of(1, 20, 0), new StoreChange.RemoveSession(OPENED)));
        lines.begin(30);
        lines.open(List.of(session(OPENED, false)));
        assertEquals(
                Optional.of("event=session_expelled" + who + " replayed=yes"),
                lines.of(Stamp.of(1, 30, 1_023), new StoreChange.PutSession(session(OPENED, true))));
        assertEquals(
                Optional.of("event=session_ended" + who),
                lines.of(Stamp.of(1, 31, 0), new StoreChange.RemoveSession(OPENED)));
    }
}
