package io.seqsvr.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that is taken down step by step, some of which fail. */
@Timeout(30)
class ClosingStepsTest {
    private final ClosingSteps steps = new ClosingSteps();
    private final List<String> taken = new ArrayList<>();

    private Future<Void> done(String step) {
        taken.add(step);
        return Future.succeededFuture();
    }

    @Test
    void aStepThatFailsOrThrowsSkipsNoneOfThoseThatRemain() {
        var lost = new IOException("it was lost");
        var defect = new IllegalStateException("a defect");
        steps.take(() -> done("first"));
        steps.take(() -> Future.failedFuture(lost));
        steps.take(() -> {
            throw defect;
        });
        steps.take(() -> done("last"));
        assertEquals(List.of("first", "last"), taken);
        var told = assertThrows(CompletionException.class, steps::end);
        assertSame(lost, told.getCause());
        assertEquals(List.of(defect), List.of(told.getSuppressed()));
    }

    @Test
    void whereAllWentWellNothingIsTold() {
        steps.take(() -> done("only"));
        steps.end();
    }

    @Test
    void eachIsWaitedForAlsoWhenInterrupted() throws InterruptedException {
        Promise<Void> slow = Promise.promise();
        var begun = new CountDownLatch(1);
        var closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            steps.take(() -> {
                begun.countDown();
                return slow.future();
            });
            taken.add("after it, interrupted: " + Thread.currentThread().isInterrupted());
        });
        closing.start();
        assertTrue(begun.await(20, TimeUnit.SECONDS));
        taken.add("before it");
        slow.complete();
        closing.join(20_000);
        assertEquals(List.of("before it", "after it, interrupted: true"), taken);
    }
}
