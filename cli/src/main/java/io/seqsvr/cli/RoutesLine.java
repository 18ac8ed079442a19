package io.seqsvr.cli;

import io.seqsvr.client.routes.RoutesListener;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch of one server's routes, for a command that waits for what comes. */
final class RoutesLine implements AutoCloseable {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final RoutesWatch watch;

    /** What comes. */
    sealed interface Event {}

    /** A newer picture. */
    record Seen(RoutePicture picture) implements Event {}

    /** The server was lost, and is asked again. */
    record Lost(String server, String why) implements Event {}

    RoutesLine(HostPort server) {
        var listener = new RoutesListener() {
            @Override
            public void seen(RoutePicture picture) {
                events.add(new Seen(picture));
            }

            @Override
            public void left(String left, String why) {
                events.add(new Lost(left, why));
            }
        };
        watch = new RoutesWatch(List.of(server.toString()), listener, new SecureRandom());
        watch.start();
    }

    /** The next event, nothing if none comes in time. */
    Optional<Event> next(Duration wait) throws InterruptedException {
        return Optional.ofNullable(events.poll(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** The next event, whenever it comes. */
    Event next() throws InterruptedException {
        return events.take();
    }

    /**
     * The first picture, for a command that asks once.
     *
     * @param timeout how long to wait for it
     * @throws StoreFailure if none comes in time
     */
    RoutePicture firstPicture(Duration timeout) throws InterruptedException, StoreFailure {
        var first = next(timeout)
                .orElseThrow(() -> StoreFailure.unavailable("no answer within " + timeout.toMillis() + " ms"));
        if (first instanceof Lost lost) {
            throw StoreFailure.unavailable("no routes from " + lost.server() + ": " + lost.why());
        }
        return ((Seen) first).picture();
    }

    @Override
    public void close() {
        watch.close();
    }
}
