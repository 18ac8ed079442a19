package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.seqsvr.chaos.grpc.BareClient;
import io.seqsvr.chaos.proxy.CallerNames;
import io.seqsvr.chaos.proxy.Direction;
import io.seqsvr.chaos.proxy.Effect;
import io.seqsvr.chaos.proxy.FaultProxy;
import io.seqsvr.chaos.proxy.Toxic;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** gRPC through the proxy: HTTP/2 does not notice it, and a call outlives a partition that is shorter than it. */
@Timeout(60)
final class ProxiedCallsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private long last;

    @Test
    void callsPassAndWaitForThePartitionToEnd() throws Exception {
        try (var server = new CountingServer(
                        (connection, request) -> Counting.reply(request, last += request.getCount()));
                var proxy = new FaultProxy(CallerNames.none(), new SplittableRandom(1))) {
            var door = proxy.create("server", server.endpoint());
            try (var client = new BareClient(door.host(), door.port(), TIMEOUT)) {
                for (long i = 1; i <= 100; i++) {
                    assertEquals(
                            i,
                            client.next("default", 7, 1)
                                    .toCompletableFuture()
                                    .get()
                                    .last());
                }
                proxy.add("server", Toxic.of("hole", Direction.DOWNSTREAM, new Effect.Blackhole()));
                var call = client.next("default", 7, 1).toCompletableFuture();
                while (proxy.counts("server").downstream().held() == 0) {
                    Thread.onSpinWait();
                }
                assertFalse(call.isDone());
                proxy.remove("server", "hole");
                assertEquals(101, call.get(20, TimeUnit.SECONDS).last());
            }
        }
    }
}
