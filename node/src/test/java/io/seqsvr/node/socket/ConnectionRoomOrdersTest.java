package io.seqsvr.node.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Callers who come and go at once, in all the orders that a model checker finds within its bound. */
@Tag("orders")
@Isolated("the model checker changes what it finds loaded")
final class ConnectionRoomOrdersTest {
    private static final int ORDERS = 100;

    private static void meet(Runnable here, Runnable there) {
        var other = new Thread(there);
        other.start();
        here.run();
        try {
            other.join();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    @Test
    void ofTwoWhoComeForTheLastPlaceOneGetsIt() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var room = new ConnectionRoom(1);
            var entered = new AtomicInteger();
            Runnable enter = () -> entered.addAndGet(room.enter() ? 1 : 0);
            meet(enter, enter);
            assertEquals(1, entered.get());
            room.leave();
            assertTrue(room.enter(), "its place is free again");
        });
    }

    @Test
    void noPlaceIsLostWhereOneComesAsAnotherGoes() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var room = new ConnectionRoom(2);
            room.enter();
            var entered = new AtomicInteger();
            meet(room::leave, () -> entered.addAndGet(room.enter() ? 1 : 0));
            assertEquals(1, entered.get());
            assertTrue(room.enter());
            assertFalse(room.enter());
        });
    }

    @Test
    void whoIsTurnedAwayIsNeverShownAsConnected() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var room = new ConnectionRoom(1);
            room.enter();
            var registry = new SimpleMeterRegistry();
            room.show(registry, "router");
            var shown = new AtomicInteger();
            meet(
                    room::enter,
                    () -> shown.set(
                            (int) registry.get("seqsvr.connections").gauge().value()));
            assertEquals(1, shown.get());
        });
    }
}
