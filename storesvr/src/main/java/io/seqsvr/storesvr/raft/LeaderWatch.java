package io.seqsvr.storesvr.raft;

import io.seqsvr.core.lease.GranterClocks;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.node.clock.SystemClocks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While this peer leads, looks whether its disk keeps up and whether its clocks let timers run out; if not, another one
 * leads. On a thread of its own: what it asks of Raft may wait behind that disk.
 */
public final class LeaderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);

    private static final long LOOK_MILLIS = 100;
    private static final Duration WITHIN = Duration.ofSeconds(1);
    /** Whose clocks are no better gives the leadership on: so often it may go round, and no more. */
    private static final Duration BETWEEN_CLOCKS = Duration.ofMinutes(1);

    private final PeerGroup group;
    private final Supplier<Optional<LeaseTerms>> terms;
    private final SlowDisk disk = new SlowDisk();
    private final GranterClocks clocks = new GranterClocks();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(look -> {
        var thread = new Thread(look, "leader-watch");
        thread.setDaemon(true);
        return thread;
    });
    private long clocksToldAtNanos = System.nanoTime() - BETWEEN_CLOCKS.toNanos();

    private LeaderWatch(PeerGroup group, Supplier<Optional<LeaseTerms>> terms) {
        this.group = group;
        this.terms = terms;
    }

    /**
     * Looks from now on.
     *
     * @param terms of the cluster's leases, once they are known
     */
    public static LeaderWatch start(PeerGroup group, Supplier<Optional<LeaseTerms>> terms) {
        var watch = new LeaderWatch(group, terms);
        var unused = watch.looks.scheduleWithFixedDelay(watch::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private void look() {
        try {
            var synced = group.synced();
            synced.ifPresent(this::lookAtDisk);
            if (synced.isPresent()) {
                terms.get().ifPresent(this::lookAtClocks);
            } else {
                clocks.forget();
            }
        } catch (RuntimeException closing) {
            // Nobody would look again after an exception; Raft throws them while it comes and goes.
            LOG.warn("event=leader_not_looked_at error=\"{}\"", closing.toString());
        }
    }

    private void lookAtDisk(PeerGroup.Synced synced) {
        if (disk.isUnbearable(System.nanoTime(), synced.here(), synced.there())) {
            group.heir()
                    .ifPresent(heir -> LOG.warn(
                            "event=disk_holds_up_the_group unsynced_ms={} {}",
                            SlowDisk.BEARABLE.toMillis(),
                            giveTo(heir)));
        }
    }

    private void lookAtClocks(LeaseTerms lease) {
        if (clocks.areUnbearable(SystemClocks.readWithBoot(), lease.granterNanos())
                && System.nanoTime() - clocksToldAtNanos >= BETWEEN_CLOCKS.toNanos()) {
            clocksToldAtNanos = System.nanoTime();
            LOG.warn(
                    "event=clocks_keep_sessions_from_ending {}",
                    group.heir().map(this::giveTo).orElse("leadership_given_to=nobody"));
        }
    }

    private String giveTo(RaftPeers.Peer heir) {
        var result = group.transfer(heir.id(), WITHIN).join();
        return "leadership_given_to=" + heir.id() + " outcome=" + result.outcome();
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
