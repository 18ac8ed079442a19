package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.grpc.BareClient;
import io.seqsvr.chaos.grpc.CallFailure;
import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.process.Closings;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.NamespacePlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As an application with any gRPC library: unary calls to the routers in turn, and to the next one after one that
 * failed, as long as its deadline lets it.
 */
final class ThinCaller implements Caller {
    private static final Duration BEFORE_NEXT_TRY = Duration.ofMillis(10);

    private final List<BareClient> routers;
    private final Duration deadline;
    private final AtomicInteger turn = new AtomicInteger();

    ThinCaller(List<Endpoint> routers, Duration deadline) {
        this.routers = routers.stream()
                .map(router -> new BareClient(router.host(), router.port(), deadline))
                .toList();
        this.deadline = deadline;
    }

    @Override
    public CompletionStage<Given> next(long uid, int count) {
        var result = new CompletableFuture<Given>();
        ask(uid, count, turn.getAndIncrement(), System.nanoTime(), result);
        return result.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void ask(long uid, int count, int door, long begun, CompletableFuture<Given> result) {
        var unused = routers.get(Math.floorMod(door, routers.size()))
                .next(NamespacePlan.NAME, uid, count)
                .whenComplete((given, failure) -> {
                    if (given != null) {
                        result.complete(given);
                    } else {
                        again(uid, count, door + 1, begun, cause(failure), result);
                    }
                });
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void again(long uid, int count, int door, long begun, Throwable failure, CompletableFuture<Given> result) {
        boolean hopeless = failure instanceof CallFailure typed
                && (typed.kind() == CallFailure.Kind.FINAL || typed.kind() == CallFailure.Kind.DEFECT);
        var pause = failure instanceof CallFailure typed ? typed.retryAfter().orElse(BEFORE_NEXT_TRY) : BEFORE_NEXT_TRY;
        if (hopeless || System.nanoTime() - begun + pause.toNanos() >= deadline.toNanos()) {
            result.completeExceptionally(failure);
            return;
        }
        Executor later = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS);
        later.execute(() -> ask(uid, count, door, begun, result));
    }

    @Override
    public void close() {
        Closings.all(routers.stream().map(router -> router::close));
    }
}
