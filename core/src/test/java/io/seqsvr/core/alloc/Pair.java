package io.seqsvr.core.alloc;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.alloc.AllocatorEffect.Tell;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreReply;
import java.util.List;

/** Two allocators on one store and one clock, with the messages between them in the test's hands. */
final class Pair {
    final FakeStore store;
    final TestClock clock = new TestClock();
    final Bench alice;
    final Bench bob;

    /** Alice owns all segments of the namespace that Bench serves. */
    Pair() {
        this(Bench.MESSAGES);
    }

    Pair(Namespace namespace) {
        store = new FakeStore(Bench.LEASE, namespace);
        alice = new Bench(store, clock, "alice");
        bob = new Bench(store, clock, "bob");
        alice.tick();
        bob.tick();
        alice.assign(0, namespace.segmentCount() - 1);
    }

    /** Time passes for both, tick by tick; messages stay where they are. */
    void passMillis(long millis) {
        for (long passed = 0; passed < millis; passed += Bench.TICK_MILLIS) {
            clock.passMillis(Bench.TICK_MILLIS);
            alice.tick();
            bob.tick();
        }
    }

    /** Every message arrives, and what it is answered, until nobody has anything to say. */
    void exchange() {
        exchange(alice, bob);
    }

    /** The same between these two. */
    static void exchange(Bench one, Bench other) {
        while (!one.told.isEmpty() || !other.told.isEmpty()) {
            deliver(one, other);
            deliver(other, one);
        }
    }

    private static void deliver(Bench from, Bench to) {
        var messages = List.copyOf(from.told);
        from.told.clear();
        messages.stream()
                .filter(tell -> tell.to() == to.allocator.session())
                .map(Tell::message)
                .forEach(message -> to.hear(from, message));
    }

    /** Alice hands the segment to Bob, and nothing goes wrong. */
    void handOver(int segment) {
        alice.handOver(segment, bob.allocator.session());
        exchange();
        bob.wake();
    }

    /** Alice's table has come to Bob; her HandOver waits for the test to say what becomes of it. */
    void untilTheTableHasCome(int segment) {
        alice.holdCommands();
        alice.handOver(segment, bob.allocator.session());
        exchange();
    }

    /** Alice's session gives a segment of epoch 1 back behind her back. */
    StoreReply release(int segment, long high) {
        var item = new Sealed(new SegmentId(1, segment), 1, high);
        return store.execute(new StoreCommand.Release(alice.allocator.session(), List.of(item)));
    }

    /** The segment gets an owner by a plan. */
    void publish(int segment, long session) {
        store.publish(new StoreCommand.Move(1, segment, segment, session));
    }
}
