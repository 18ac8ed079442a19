package io.seqsvr.chaos.process;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How far a load has come, to be waited for. */
final class Progress {
    /** Texts name epochs and addresses: a load that runs for days must not keep them all. */
    private static final int MOST_TEXTS = 1_000;

    private static final String OTHER_TEXTS = "others, of which there were too many to tell apart";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, Long> answersByUid = new HashMap<>();
    private long answers;
    private long failures;
    private final Map<String, Long> failuresByText = new TreeMap<>();
    private @Nullable Throwable lastFailure;
    private @Nullable Throwable defect;

    Progress(Set<Long> uids) {
        uids.forEach(uid -> answersByUid.put(uid, 0L));
    }

    void answered(long uid) {
        change(() -> {
            answers++;
            answersByUid.merge(uid, 1L, Long::sum);
        });
    }

    void failed(Throwable failure) {
        change(() -> {
            failures++;
            lastFailure = failure;
            var text = String.valueOf(failure.getMessage());
            boolean fits = failuresByText.size() < MOST_TEXTS || failuresByText.containsKey(text);
            failuresByText.merge(fits ? text : OTHER_TEXTS, 1L, Long::sum);
        });
    }

    /** The first one counts: what follows is its consequence. */
    void madeNoSense(Throwable nonsense) {
        change(() -> defect = defect == null ? nonsense : defect);
    }

    void awaitAnswers(long total, long ofEach, Duration within) {
        await(
                total + " answers, " + ofEach + " of each user",
                () -> answers >= total && answersByUid.values().stream().allMatch(of -> of >= ofEach),
                within);
    }

    void awaitFailures(long total, Duration within) {
        await(total + " failures", () -> failures >= total, within);
    }

    Map<String, Long> failures() {
        lock.lock();
        try {
            return Map.copyOf(failuresByText);
        } finally {
            lock.unlock();
        }
    }

    Optional<String> nonsense() {
        lock.lock();
        try {
            return Optional.ofNullable(defect).map(first -> String.valueOf(first.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    void requireSense() {
        await("nothing", () -> true, Duration.ZERO);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await(String what, BooleanSupplier reached, Duration within) {
        lock.lock();
        try {
            long left = within.toNanos();
            while (defect == null && !reached.getAsBoolean()) {
                if (left <= 0) {
                    throw new IllegalStateException("after " + within + " the load has not come to " + what + ": "
                            + answers + " answers " + answersByUid + ", " + failures + " failures, the last: "
                            + lastFailure);
                }
                left = changed.awaitNanos(left);
            }
            if (defect != null) {
                throw new IllegalStateException("a reply made no sense: " + defect.getMessage(), defect);
            }
        } catch (InterruptedException interrupted) {
            throw Interruption.of("a load to come to " + what);
        } finally {
            lock.unlock();
        }
    }
}
