package io.seqsvr.storesvr.raft;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While this peer leads, looks whether its disk keeps up; if not, another one leads. On a thread of its own: what it
 * asks of Raft may wait behind that disk.
 */
public final class LeadersDisk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeadersDisk.class);

    private static final long LOOK_MILLIS = 100;
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private final PeerGroup group;
    private final SlowDisk disk = new SlowDisk();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(look -> {
        var thread = new Thread(look, "leaders-disk");
        thread.setDaemon(true);
        return thread;
    });

    private LeadersDisk(PeerGroup group) {
        this.group = group;
    }

    /** Looks from now on. */
    public static LeadersDisk watch(PeerGroup group) {
        var watcher = new LeadersDisk(group);
        var unused =
                watcher.looks.scheduleWithFixedDelay(watcher::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watcher;
    }

    private void look() {
        try {
            group.synced()
                    .filter(synced -> disk.isUnbearable(System.nanoTime(), synced.here(), synced.there()))
                    .flatMap(slow -> group.heir())
                    .ifPresent(heir -> {
                        var result = group.transfer(heir.id(), WITHIN).join();
                        LOG.warn(
                                "event=disk_holds_up_the_group unsynced_ms={} leadership_given_to={} outcome={}",
                                SlowDisk.BEARABLE.toMillis(),
                                heir.id(),
                                result.outcome());
                    });
        } catch (RuntimeException closing) {
            // Nobody would look again after an exception; Raft throws them while it comes and goes.
            LOG.warn("event=disk_not_looked_at error=\"{}\"", closing.toString());
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
