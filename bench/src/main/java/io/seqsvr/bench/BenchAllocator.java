package io.seqsvr.bench;

import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.AllocatorLimits;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import java.util.List;
import java.util.SplittableRandom;

/** An allocator that owns all of one namespace, on a store that answers at once. */
final class BenchAllocator {
    static final String NAMESPACE = "messages";
    private static final LeaseTerms LEASE = new LeaseTerms(60_000_000_000L, 100);

    final Allocator allocator = new Allocator(
            "bench", "127.0.0.1:7401", new AllocatorLimits(10_000, Long.MAX_VALUE), new SplittableRandom(1));
    private final StoreState state = new StoreState();
    private final StoreRules rules = new StoreRules();
    private long index;

    BenchAllocator(Namespace namespace) {
        execute(new StoreCommand.CreateCluster("bench", LEASE, List.of(namespace)));
        tick();
        long version = 0;
        for (int first = 0; first < namespace.segmentCount(); first += StoreCommand.MAX_SEGMENTS) {
            int last = Math.min(first + StoreCommand.MAX_SEGMENTS, namespace.segmentCount()) - 1;
            var part = new StoreCommand.Move(namespace.id(), first, last, allocator.session());
            var reply = execute(new StoreCommand.PublishRoutes(version, List.of(part)));
            version = ((StoreReply.RoutesPublished) reply).version();
        }
        allocator.woken(StoreView.of(state).orElseThrow(), now());
        carryOut();
        if (allocator.segmentsOwned() != namespace.segmentCount()) {
            throw new IllegalStateException(allocator.segmentsOwned() + " segments were loaded");
        }
    }

    /** One look at the clocks, as AllocSvr reads them. */
    static ClockReading now() {
        return new ClockReading(System.nanoTime(), System.currentTimeMillis() * 1_000_000);
    }

    /** Renews the lease where it is time. */
    void tick() {
        allocator.tick(now());
        carryOut();
    }

    void carryOut() {
        for (var effects = allocator.takeEffects(); !effects.isEmpty(); effects = allocator.takeEffects()) {
            for (var effect : effects) {
                if (effect instanceof AllocatorEffect.Send send) {
                    allocator.answered(send.call(), execute(send.command()), now());
                }
            }
        }
    }

    private StoreReply execute(StoreCommand command) {
        index++;
        var decision = rules.decide(state, rules.stamp(state, index, 0), command);
        decision.changes().forEach(state::apply);
        return decision.reply();
    }
}
