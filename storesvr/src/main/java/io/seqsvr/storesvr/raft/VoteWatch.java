package io.seqsvr.storesvr.raft;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second whether a vote was written to its end. A candidate whose vote could not be written asks for no
 * other one's, and Ratis leaves it standing so: where all disks are full, nobody would say a word, nor stop.
 */
final class VoteWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VoteWatch.class);

    private static final long LOOK_MILLIS = 1_000;

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "vote-watch");
        thread.setDaemon(true);
        return thread;
    });

    private VoteWatch() {}

    /**
     * Looks from now on.
     *
     * @param term the member's, in memory
     */
    static VoteWatch start(VoteDirectory votes, LongSupplier term) {
        var watch = new VoteWatch();
        var unused = watch.looks.scheduleWithFixedDelay(
                () -> look(votes, term), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private static void look(VoteDirectory votes, LongSupplier term) {
        try {
            votes.look(term.getAsLong(), System.nanoTime());
        } catch (RuntimeException closing) {
            // Nobody would look again after an exception; Raft throws them while it comes and goes.
            LOG.warn("event=vote_not_looked_at error=\"{}\"", closing.toString());
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
