package io.seqsvr.client.routes;

import io.seqsvr.core.picture.FollowedRoutes;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RoutesReader;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/**
 * Watches the routes at one of several servers, routers or AllocSvrs, and hands every newer picture on. A server that
 * cannot be reached, refuses, falls silent or is of another cluster is left for the next one, after a pause that grows;
 * what is known is kept, so that the next one tells only what changed. Safe for use by many threads; has one thread of
 * its own, on which its listener is called.
 *
 * <p>The cluster is the first one that answers, for good.
 */
public final class RoutesWatch implements AutoCloseable {
    private static final int NONE = -1;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final RoutesReader reader = new RoutesReader(vertx);
    private final List<HostPort> servers;
    private final RoutesListener listener;
    private final RandomGenerator random;
    private final Pace pace;

    private volatile Optional<RoutePicture> newest = Optional.empty();
    private final AtomicBoolean closed = new AtomicBoolean();

    // From here on, all is of the one thread.
    private final FollowedRoutes followed = new FollowedRoutes();
    /** Counts the servers asked. */
    private int asked;

    private int failures;
    /** Whether the server that is asked has said anything. */
    private boolean heard;

    private long timer = -1;
    private Runnable cancel = () -> {};
    /** The watch that is to be left, until the next server has spoken. */
    private Runnable cancelFormer = () -> {};

    private int former = NONE;

    /**
     * A watch that has not begun.
     *
     * @param servers at least one, HOST:PORT; asked one after the other, in an order of this watch's own: so those who
     *     lose one server together go to different ones
     * @param listener is told of pictures
     * @param random spreads callers over servers and time
     */
    public RoutesWatch(List<String> servers, RoutesListener listener, RandomGenerator random) {
        this(shuffled(servers, random), listener, random, Pace.USUAL);
    }

    private static List<String> shuffled(List<String> servers, RandomGenerator random) {
        var order = new ArrayList<>(servers);
        Collections.shuffle(order, new Random(random.nextLong()));
        return order;
    }

    /** The same with a pace of its own, and with the servers in the order given. */
    RoutesWatch(List<String> servers, RoutesListener listener, RandomGenerator random, Pace pace) {
        this.servers = servers.stream().map(HostPort::parse).toList();
        this.listener = listener;
        this.random = random;
        this.pace = pace;
        if (servers.isEmpty()) {
            vertx.close();
            throw new IllegalArgumentException("there is no server to watch the routes at; name one at least");
        }
    }

    /** Begins; watches until {@link #close}. To be called once. */
    public void start() {
        context.runOnContext(here -> ask());
    }

    /** The newest picture; nothing before the first. */
    public Optional<RoutePicture> picture() {
        return newest;
    }

    /**
     * The picture turned out to be old, and nothing newer comes: the next server is asked, which tells what it has at
     * once; where there is only one, that one anew. Does nothing while a server is being asked already.
     *
     * <p>Whoever was watched is listened to until the next one speaks: where nobody else can be reached it is all there
     * is.
     */
    public void elsewhere() {
        context.runOnContext(here -> {
            if (heard && !closed.get()) {
                stopFormer();
                former = asked;
                cancelFormer = cancel;
                cancel = () -> {};
                // It answers, so there is nothing to be patient with.
                int before = failures;
                leave("its picture is outdated");
                failures = before;
            }
        });
    }

    private void stopFormer() {
        cancelFormer.run();
        cancelFormer = () -> {};
        former = NONE;
    }

    /**
     * Ends it; the listener is told nothing more. Waits for its thread, whoever is interrupted meanwhile; who closes it
     * once more waits for nobody.
     *
     * @throws IllegalStateException on an event loop, as the listener is called on, which would wait for itself;
     *     nothing is closed
     */
    @Override
    public void close() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("this is an event loop, as that of the watch is, and close() waits for it;"
                    + " close the watch on another thread");
        }
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Promise<Void> left = Promise.promise();
        context.runOnContext(here -> reader.close().onComplete(left));
        try {
            // Not by await(), which refuses the workers of an application that runs on Vert.x itself.
            left.future().toCompletionStage().toCompletableFuture().join();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private HostPort server() {
        return servers.get(Math.floorMod(asked, servers.size()));
    }

    private void ask() {
        heard = false;
        int mine = asked;
        expectWithin(pace.firstMillis());
        cancel = reader.watch(server(), followed.clusterId(), followed.version(), new RoutesReader.Listener() {
            @Override
            public void begun() {
                if (mine == asked && !closed.get()) {
                    expectWithin(pace.messageMillis());
                }
            }

            @Override
            public void told(RouteChanges changes) {
                if (mine == asked && !closed.get()) {
                    take(changes);
                } else if (mine == former && !closed.get()) {
                    takeOfFormer(changes);
                }
            }

            @Override
            public void ended(String why) {
                if (mine == asked && !closed.get()) {
                    leave(why);
                }
            }
        });
    }

    /** What it cannot tell is told by the next one, from what is known by then. */
    private void takeOfFormer(RouteChanges told) {
        try {
            if (followed.take(told) == FollowedRoutes.Outcome.NEWER) {
                show();
            }
        } catch (IllegalArgumentException nonsense) {
            stopFormer();
        }
    }

    private void show() {
        followed.picture().ifPresent(this::show);
    }

    private void show(RoutePicture picture) {
        long known = newestVersion();
        if (picture.version() > known) {
            newest = Optional.of(picture);
            listener.seen(picture);
        } else if (picture.version() == known) {
            // An owner had shown it before.
            listener.confirmed(picture);
        }
    }

    private long newestVersion() {
        return newest.map(RoutePicture::version).orElse(0L);
    }

    /**
     * Somebody who is no server of this watch told what changed, as owners do that refuse a call. The listener is shown
     * the picture that comes of it, if there is one and it is newer than all before. The watch itself goes on from what
     * its servers told: they know nothing of this, and build upon that.
     */
    public void overheard(RouteChanges told) {
        context.runOnContext(here -> {
            if (!closed.get()) {
                takeHearsay(told);
            }
        });
    }

    private void takeHearsay(RouteChanges told) {
        try {
            newest.flatMap(known -> known.afterHearsay(told)).ifPresent(this::show);
        } catch (IllegalArgumentException nonsense) {
            // It is dropped: the servers tell as if nobody had.
        }
    }

    private void expectWithin(long millis) {
        vertx.cancelTimer(timer);
        timer = vertx.setTimer(millis, silent -> {
            if (!closed.get()) {
                leave("it said nothing for " + millis + " ms");
            }
        });
    }

    private void take(RouteChanges told) {
        FollowedRoutes.Outcome outcome;
        try {
            outcome = followed.take(told);
        } catch (IllegalArgumentException nonsense) {
            leave("what it told makes no picture: " + nonsense.getMessage());
            return;
        }
        switch (outcome) {
            case OTHER_CLUSTER -> leave("it is of another cluster than " + followed.clusterId());
            case MISSED -> leave("it told changes since a version that is not known here");
            case NOTHING_NEW -> {
                // A server that only repeats itself at first may be one that is stuck.
                failures = heard ? 0 : failures;
                // A picture that it does not have itself it does not confirm.
                if (!heard && followed.version() == newestVersion()) {
                    newest.ifPresent(listener::confirmed);
                }
                hear();
            }
            case NEWER -> {
                failures = 0;
                hear();
                show();
            }
        }
    }

    private void hear() {
        heard = true;
        stopFormer();
        expectWithin(pace.silenceMillis());
    }

    private void leave(String why) {
        var left = server();
        asked++;
        heard = false;
        cancel.run();
        vertx.cancelTimer(timer);
        timer = vertx.setTimer(pace.pauseMillis(failures, random), again -> ask());
        failures++;
        listener.left(left.toString(), why);
    }
}
