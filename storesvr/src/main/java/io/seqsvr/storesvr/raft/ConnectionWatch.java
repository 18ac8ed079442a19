package io.seqsvr.storesvr.raft;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether this peer hears of the others, and gives up its connections to those of which it does not. Ratis keeps
 * a connection until the system declares it dead, which may take a quarter of an hour, and asks for votes over it.
 */
final class ConnectionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);

    private static final long LOOK_MILLIS = 100;

    private final PeerConnections connections;
    private final UnheardPeers unheard = new UnheardPeers();
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(daemon("connection-watch"));
    /** Ratis waits for up to 5 s until a connection is closed, while a new one is there at once. */
    private final ExecutorService closing = Executors.newCachedThreadPool(daemon("connection-close"));

    private ConnectionWatch(PeerConnections connections) {
        this.connections = connections;
    }

    /** Looks from now on. */
    static ConnectionWatch start(PeerConnections connections) {
        var watch = new ConnectionWatch(connections);
        var unused = watch.looks.scheduleWithFixedDelay(watch::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            var thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private void look() {
        try {
            for (var peer : unheard.toGiveUp(System.nanoTime(), connections.unheard())) {
                closing.execute(() -> giveUp(peer));
            }
        } catch (RejectedExecutionException closed) {
            LOG.debug("event=connections_kept reason=closed");
        } catch (RuntimeException unready) {
            // Nobody would look again after an exception; Raft throws them while it comes and goes.
            LOG.warn("event=connections_not_looked_at error=\"{}\"", unready.toString());
        }
    }

    private void giveUp(String peer) {
        try {
            LOG.debug("event=connections_given_up peer={}", peer);
            connections.giveUp(peer);
        } catch (RuntimeException unready) {
            LOG.warn("event=connections_not_given_up peer={} error=\"{}\"", peer, unready.toString());
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
        closing.shutdownNow();
    }
}
