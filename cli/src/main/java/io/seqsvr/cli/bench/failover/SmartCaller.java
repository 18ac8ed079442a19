package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.client.SequenceClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** As an application with the Java client: it watches the routes and asks owners. */
final class SmartCaller implements Caller {
    private final SequenceClient client;

    SmartCaller(List<Endpoint> routers, Duration deadline) {
        var builder = SequenceClient.builder().namespace(NamespacePlan.NAME).timeout(deadline);
        routers.forEach(router -> builder.endpoint(router.toString()));
        this.client = builder.build();
    }

    @Override
    public CompletionStage<Given> next(long uid, int count) {
        return client.next(uid, count)
                .thenApply(range -> new Given(range.uid(), range.first(), range.last(), range.epoch()));
    }

    @Override
    public void close() {
        client.close();
    }
}
