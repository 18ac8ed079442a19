package io.seqsvr.node;

import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The steps by which a node is taken down: each is taken, whatever became of those before it. Blocks. */
public final class ClosingSteps {
    private @Nullable RuntimeException first;

    /** Takes a step and waits for its end, also when interrupted: what is left half open nobody closes any more. */
    public void take(Supplier<Future<?>> step) {
        try {
            step.get().toCompletionStage().toCompletableFuture().join();
        } catch (RuntimeException failure) {
            if (first == null) {
                first = failure;
            } else {
                first.addSuppressed(failure);
            }
        }
    }

    /** All were taken; throws what the first of those threw that failed, with the other failures suppressed. */
    public void end() {
        if (first != null) {
            throw first;
        }
    }
}
