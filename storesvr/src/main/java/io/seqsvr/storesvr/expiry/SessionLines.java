package io.seqsvr.storesvr.expiry;

import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of the log about sessions. It keeps who they are, as whoever looks for the end of one knows a name or an
 * address. What stood in the log before this process began bears {@code replayed=yes}: the time of such a line is not
 * that of the event. Any thread may call.
 */
final class SessionLines {
    private final Map<Long, Session> open = new HashMap<>();
    /** Until it is known how much stood in the log, all of it did. */
    private long oldUpTo = Long.MAX_VALUE;

    /** These are open, and no others. */
    synchronized void open(Collection<Session> sessions) {
        open.clear();
        sessions.forEach(session -> open.put(session.id(), session));
    }

    /** The last entry that stood in the log when this process began; -1 if there was none. */
    synchronized void begin(long last) {
        oldUpTo = last;
    }

    /** The line about a change, if it is one for which there is a line. */
    synchronized Optional<String> of(long stamp, StoreChange change) {
        var when = Stamp.index(stamp) <= oldUpTo ? " replayed=yes" : "";
        if (change instanceof StoreChange.PutSession put) {
            var session = put.session();
            open.put(session.id(), session);
            if (session.id() == stamp) {
                return Optional.of("event=session_opened " + who(session.id()) + when);
            }
            return session.expelled()
                    ? Optional.of("event=session_expelled " + who(session.id()) + when)
                    : Optional.empty();
        }
        if (change instanceof StoreChange.RemoveSession remove) {
            var line = "event=session_ended " + who(remove.session()) + when;
            open.remove(remove.session());
            return Optional.of(line);
        }
        return Optional.empty();
    }

    /** The session, and what is known of it. */
    synchronized String who(long id) {
        var session = open.get(id);
        return session == null
                ? "session=" + id
                : "session=" + id + " kind=" + session.kind().name().toLowerCase(Locale.ROOT) + " name="
                        + session.name() + " address=" + session.address();
    }
}
