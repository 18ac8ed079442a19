package io.seqsvr.chaos.grpc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What becomes of calls, for which a test waits, but not for ever. */
final class Stages {
    static final long SOON_SECONDS = 30;

    private Stages() {}

    static <T> T of(CompletionStage<T> asked) throws Exception {
        return asked.toCompletableFuture().get(SOON_SECONDS, TimeUnit.SECONDS);
    }

    static CallFailure failure(CompletionStage<?> asked) {
        return assertInstanceOf(
                CallFailure.class,
                assertThrows(ExecutionException.class, () -> of(asked)).getCause());
    }
}
