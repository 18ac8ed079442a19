package io.seqsvr.core.alloc;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.SkewedClocks;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreLeader;
import io.seqsvr.core.store.StoreReply;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * StoreSvr in a random story: the real rules and the real timers, leaders that change, and leaders that stand still.
 */
final class RandomStore {
    static final long MILLI = 1_000_000;
    static final LeaseTerms LEASE = new LeaseTerms(1_000 * MILLI, 100);
    /** Six users in three segments, a step of 20. */
    static final Namespace MESSAGES = new Namespace(1, "messages", 6, 2, 20, 30, Long.MAX_VALUE);

    private final Agenda agenda;
    private final SplittableRandom random;
    private final double mostRate;
    private final FakeStore store;
    private final StoreLeader leader = new StoreLeader();
    private SkewedClocks clocks;
    private long stillUntil;

    RandomStore(Agenda agenda, SplittableRandom random, double mostRate, Order order) {
        this.store = new FakeStore(LEASE, MESSAGES.withOrder(order));
        this.agenda = agenda;
        this.random = random;
        this.mostRate = mostRate;
        this.clocks = SkewedClocks.random(random, mostRate);
        startTerm();
        agenda.about(MILLI, random, this::lookAtTimers);
    }

    FakeStore rows() {
        return store;
    }

    long maxSeq(int segment) {
        return store.state()
                .segment(new SegmentId(1, segment))
                .map(SegmentRecord::maxSeq)
                .orElse(0L);
    }

    /** Nothing if there is no leader to take the command. */
    Optional<StoreReply> execute(StoreCommand command) {
        if (!leader.leading() || agenda.now() < stillUntil) {
            return Optional.empty();
        }
        var refused = leader.refuse(store.state(), command, clocks.at(agenda.now()));
        if (refused.isPresent()) {
            return refused;
        }
        var reply = store.execute(command);
        var now = clocks.at(agenda.now());
        leader.applied(store.lastStamp(), store.lastChanges(), now);
        if (command instanceof StoreCommand.Renew renew) {
            leader.renewed(store.state(), renew.session(), renew.attempt(), now);
        }
        return Optional.of(leader.complete(reply, now));
    }

    private void lookAtTimers() {
        if (!leader.leading() || agenda.now() < stillUntil) {
            return;
        }
        for (var expiry : leader.tick(clocks.at(agenda.now()))) {
            agenda.after(random.nextBoolean() ? random.nextLong(800 * MILLI) : 0, () -> {
                boolean lost = random.nextInt(10) == 0;
                if (lost || execute(expiry).isEmpty()) {
                    leader.unanswered(expiry);
                }
            });
        }
    }

    /** The leader is gone; after a while a peer leads, perhaps the same one. */
    void changeLeader() {
        if (leader.leading()) {
            leader.follow();
            agenda.after(random.nextLong(800 * MILLI), () -> {
                clocks = random.nextBoolean() ? clocks : SkewedClocks.random(random, mostRate);
                startTerm();
            });
        }
    }

    private void startTerm() {
        clocks.at(agenda.now());
        leader.lead(store.state(), clocks.at(agenda.now()));
    }

    /** The leader's machine stands still for a while, or its clocks are set. */
    void failClocks() {
        clocks.fail(agenda.now(), random);
        stillUntil = Math.max(stillUntil, clocks.suspendedUntil());
    }
}
