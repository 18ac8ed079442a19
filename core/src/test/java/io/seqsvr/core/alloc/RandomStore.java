package io.seqsvr.core.alloc;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.SkewedClocks;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.lease.SessionTimers;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

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
    private final FakeStore store = new FakeStore(LEASE, MESSAGES);
    private final SessionTimers timers = new SessionTimers();
    private SkewedClocks clocks;
    private boolean leading;
    private long stillUntil;

    RandomStore(Agenda agenda, SplittableRandom random, double mostRate) {
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
        if (!leading || agenda.now() < stillUntil) {
            return Optional.empty();
        }
        var reply = store.execute(command);
        var now = clocks.at(agenda.now());
        if (reply instanceof StoreReply.SessionOpened opened && opened.session() == store.lastStamp()) {
            timers.renewed(opened.session(), opened.session(), now);
        } else if (command instanceof StoreCommand.Renew renew && reply instanceof StoreReply.Renewed) {
            timers.renewed(renew.session(), store.lastStamp(), now);
        } else if (reply instanceof StoreReply.SessionEnded ended) {
            timers.ended(ended.session());
        } else if (reply instanceof StoreReply.SessionHeld held) {
            return Optional.of(held.withRemaining(timers.remainingNanos(held.holder(), now)));
        }
        return Optional.of(reply);
    }

    private void lookAtTimers() {
        if (!leading || agenda.now() < stillUntil) {
            return;
        }
        for (var due : timers.due(clocks.at(agenda.now()))) {
            agenda.after(random.nextBoolean() ? random.nextLong(800 * MILLI) : 0, () -> {
                boolean lost = random.nextInt(10) == 0;
                var expiry = new StoreCommand.ExpireSession(due.session(), due.renewalSeen());
                if (lost || execute(expiry).isEmpty()) {
                    timers.reportAgain(due);
                }
            });
        }
    }

    /** The leader is gone; after a while a peer leads, perhaps the same one. */
    void changeLeader() {
        if (leading) {
            leading = false;
            timers.stopTerm();
            agenda.after(random.nextLong(800 * MILLI), () -> {
                clocks = random.nextBoolean() ? clocks : SkewedClocks.random(random, mostRate);
                startTerm();
            });
        }
    }

    private void startTerm() {
        var renewals = store.state().sessions().stream().collect(Collectors.toMap(Session::id, Session::renewal));
        clocks.at(agenda.now());
        timers.startTerm(LEASE, renewals, clocks.at(agenda.now()));
        leading = true;
    }

    /** The leader's machine stands still for a while, or its clocks are set. */
    void failClocks() {
        clocks.fail(agenda.now(), random);
        stillUntil = Math.max(stillUntil, clocks.suspendedUntil());
    }
}
