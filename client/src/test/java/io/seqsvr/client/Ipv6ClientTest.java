package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.picture.RoutePicture;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster at IPv6 addresses. */
@Timeout(60)
class Ipv6ClientTest {
    @BeforeEach
    void needsTheAddress() throws Exception {
        var loopback = new byte[16];
        loopback[15] = 1;
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByAddress(loopback)) != null, "no ::1 here");
    }

    @Test
    void itsRoutesAreWatched() throws Exception {
        var seen = new CompletableFuture<RoutePicture>();
        try (var owner = new FakeOwner(FakeOwner.MESSAGES, "::1");
                var watch = new RoutesWatch(List.of(owner.address()), seen::complete, new SplittableRandom(1))) {
            watch.start();
            var shown = seen.get(10, TimeUnit.SECONDS).owners();
            assertEquals(owner.address(), shown.get(0).address());
        }
    }

    @Test
    void itsOwnersAreAskedThroughTheirStreams() {
        try (var owner = new FakeOwner(FakeOwner.MESSAGES, "::1").byItself();
                var client = SequenceClient.builder()
                        .endpoint(owner.address())
                        .namespace("messages")
                        .timeout(Duration.ofSeconds(10))
                        .build()) {
            assertEquals(1, client.blocking().next(7).first());
        }
    }
}
