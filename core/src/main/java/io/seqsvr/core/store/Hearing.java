package io.seqsvr.core.store;

import io.seqsvr.core.lease.BySession;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.LeaseTerms;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Which answers to renewals the leader of one term has given, of which no later renewal shows that they were heard.
 *
 * <p>A holder whose commands arrive and whose answers do not keeps its session without ever having a lease: its users
 * would wait until somebody mends the network. Only the granter can see that, and only by what the holder says; a
 * granter that gave no answers, because its log stood still, has nobody to refuse.
 */
final class Hearing {
    /** Who renews that often without hearing is refused by the oldest of them; younger ones add nothing. */
    private static final int MOST_ANSWERS = 64;

    private final BySession<Queue<Answer>> unheard = new BySession<>();

    private record Answer(long attempt, ClockReading at) {}

    /** A renewal of an open session was answered, whatever the answer was. */
    void answered(long session, long attempt, ClockReading now) {
        if (attempt == 0) {
            return;
        }
        var answers = unheard.get(session);
        if (answers == null) {
            answers = new ArrayDeque<>();
            unheard.put(session, answers);
        }
        if (answers.size() < MOST_ANSWERS) {
            answers.add(new Answer(attempt, now));
        }
    }

    /** Whether the sender of a renewal has heard every answer that was given long enough ago. */
    boolean isFresh(StoreCommand.Renew renew, LeaseTerms terms, ClockReading now) {
        var answers = unheard.get(renew.session());
        if (answers == null || renew.attempt() == 0) {
            return true;
        }
        while (!answers.isEmpty() && answers.element().attempt() <= renew.heard()) {
            answers.remove();
        }
        // By the clock that nobody sets: a wall clock set back would call every answer a young one for hours.
        return answers.isEmpty() || now.monotonicSince(answers.element().at()) < terms.unheardNanos();
    }

    void ended(long session) {
        unheard.remove(session);
    }

    void clear() {
        unheard.clear();
    }
}
