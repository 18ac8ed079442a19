package io.seqsvr.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Calls for many users, each with an outcome of its own. */
final class ItemOutcomes {
    private ItemOutcomes() {}

    /**
     * Makes a call for each user, and tells what has become of all of them, in order. Who ends the stage by itself ends
     * those that are open.
     */
    static <T> CompletionStage<List<ItemOutcome<T>>> of(List<Long> uids, IntFunction<CompletionStage<T>> call) {
        var calls = IntStream.range(0, uids.size())
                .mapToObj(i -> call.apply(i).toCompletableFuture())
                .toList();
        var outcomes = IntStream.range(0, uids.size())
                .mapToObj(i -> calls.get(i).handle((answer, error) -> outcome(uids.get(i), answer, error)))
                .toList();
        var all = CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        each -> outcomes.stream().map(CompletableFuture::join).toList());
        var unused = all.whenComplete((told, ended) -> {
            if (ended != null) {
                calls.forEach(open -> open.cancel(false));
            }
        });
        return all;
    }

    private static <T> ItemOutcome<T> outcome(long uid, @Nullable T answer, @Nullable Throwable error) {
        if (error instanceof SequenceException typed) {
            return ItemOutcome.failed(uid, typed);
        }
        if (answer == null) {
            throw new IllegalStateException(
                    "a call of user " + Long.toUnsignedString(uid) + " failed otherwise", error);
        }
        return ItemOutcome.answered(uid, answer);
    }
}
