package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorLimits;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever breaks an input of the allocator off stops the process: an Error too may leave something half done. */
class AllocatorLoopTest {
    private final Error broken = new NoClassDefFoundError("a class that is gone");

    private final Vertx vertx = NodeServer.newVertx();
    private final List<Throwable> fatal = new ArrayList<>();

    @AfterEach
    void close() {
        vertx.close();
    }

    private AllocatorLoop loop(MeterRegistry registry) {
        var nobody = new HostPort("127.0.0.1", 1);
        return new AllocatorLoop(
                vertx,
                new Allocator("alloc", "alloc:7721", new AllocatorLimits(5, 1), new SplittableRandom(1)),
                5,
                new StoreClient(vertx, List.of(nobody), Duration.ofSeconds(1)),
                registry,
                view -> {},
                fatal::add);
    }

    @Test
    void anErrorBetweenTwoCallsIsFatal() {
        var loop = loop(new SimpleMeterRegistry());
        var calls = new AbstractList<Wanted>() {
            @Override
            public Wanted get(int index) {
                if (index == 1) {
                    throw broken;
                }
                return new Wanted(new Call.Current("messages", 7), 0);
            }

            @Override
            public int size() {
                return 2;
            }
        };
        assertThrows(NoClassDefFoundError.class, () -> loop.together(calls, 1_000, Caller.ALONE));
        assertEquals(List.of(broken), fatal);
    }

    @Test
    void anErrorWhileTheAnswersOfAFrameLeaveIsFatal() {
        var loop = loop(new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                return new CumulativeCounter(id) {
                    @Override
                    public void increment(double amount) {
                        throw broken;
                    }
                };
            }
        });
        var calls = new FrameCalls();
        calls.namespaceName("messages");
        calls.uids().add(7);
        assertThrows(NoClassDefFoundError.class, () -> loop.frame(calls, later -> {}));
        assertEquals(List.of(broken), fatal);
    }
}
