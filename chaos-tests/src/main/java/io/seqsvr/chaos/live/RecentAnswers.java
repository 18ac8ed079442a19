package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The last answers to one user, for whoever must show the one that another answer breaks a promise against. For one
 * thread at a time.
 */
final class RecentAnswers {
    private final int most;
    private final Deque<Operation.Answered> answers = new ArrayDeque<>();

    /** None yet; of so many the oldest goes. */
    RecentAnswers(int most) {
        this.most = most;
    }

    void remember(Operation.Answered answer) {
        answers.addLast(answer);
        if (answers.size() > most) {
            answers.removeFirst();
        }
    }

    /** The answer, if it is still remembered, that bore this sequence. */
    Optional<Operation.Answered> whichBore(long sequence) {
        return answers.stream().filter(answer -> bears(answer, sequence)).findFirst();
    }

    private static boolean bears(Operation.Answered answer, long sequence) {
        return answer instanceof Operation.Next next
                ? next.first() <= sequence && sequence <= next.last()
                : answer instanceof Operation.Current reading && reading.seq() == sequence;
    }
}
