package io.seqsvr.client;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.client.line.LineCounts;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.front.Verifier;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes sequences of users. Safe for use by many threads; make one and keep it:
 *
 * <pre>{@code
 * try (var client = SequenceClient.builder().endpoint("127.0.0.1:7700").namespace("messages").build()) {
 *     SequenceRange one = client.blocking().next(471);
 *     client.next(471, 3).thenAccept(three -> deliver(three.first(), three.last()));
 * }
 * }</pre>
 *
 * <p>It watches the routes at its endpoints and calls the owners of users directly. Calls that are made at the same
 * time, by whatever threads, share frames; nothing waits for others to come. A call that is refused as its user's owner
 * changes or may not answer, or whose answer is lost, is tried again until its timeout is over: that may skip numbers,
 * it never repeats one. One that is refused for want of room is not: ask for less at once. An answer under an older
 * epoch than was known when its call was made, or not above what this client had given out by then, is not given out.
 * Of two calls that are made at the same time the later one's answer may come first, or be the smaller one.
 *
 * <p>Stages complete on the client's one thread, which must not be blocked: go on with {@code thenApplyAsync} where
 * more is to be done. But one that is refused for want of room, or as the client is being closed, is complete when it
 * is returned, and what is chained to it runs on the thread that made the call: whoever calls again from there, without
 * the pause that {@link SequenceException#retryAfter} names, calls itself again and again. The client's thread keeps
 * the JVM alive until the client is closed. Failed stages bear a {@link SequenceException}. A stage that its caller
 * ends, as by {@code cancel} or {@code orTimeout}, ends its call: it is not sent again, though what was sent may still
 * take numbers. Users are unsigned 64-bit numbers.
 */
public final class SequenceClient implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    /** Frames stay below the 256 KiB that a server takes, whatever is in their calls. */
    private static final int MOST_CALLS_PER_FRAME = 5_000;

    private final ClientSettings settings;
    private final Pending.Terms terms;
    private final Vertx vertx;
    private final RoutesWatch watch;
    private final CallLoop loop;
    private final DoubtedPicture doubted;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SequenceClient(ClientSettings settings) {
        this.settings = settings;
        this.terms = new Pending.Terms(settings.timeout.toNanos(), this::callerLeft);
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        var random = new SplittableRandom();
        this.loop = new CallLoop(
                vertx,
                settings.limits(),
                CONNECT_TIMEOUT_MILLIS,
                new Verifier(settings.rememberedUsers),
                random.split(),
                this::doubt);
        var servers = settings.endpoints.stream().map(HostPort::toString).toList();
        this.watch = new RoutesWatch(servers, new Pictures(loop, settings), random.split());
        this.doubted = new DoubtedPicture(vertx, watch::elsewhere);
        if (!settings.viaEndpoint) {
            loop.listen(watch::overheard);
        }
        // Loaded here: on an event loop it takes so long in a cold process that timers run out meanwhile.
        Objects.requireNonNull(RoutesRpc.WATCH);
        watch.start();
    }

    /** Only on the loop. */
    private void doubt(RouteBook book) {
        doubted.look(book);
    }

    private void callerLeft() {
        try {
            loop.context().runOnContext(here -> loop.callersLeft());
        } catch (RejectedExecutionException over) {
            // The loop is closed, and every call has ended.
        }
    }

    /** How a client is made. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A client with one endpoint and otherwise the defaults.
     *
     * @param host name or address of a router or AllocSvr, an IPv6 address with or without brackets
     * @param port from 1 to 65,535
     * @param timeout how long a call may take, from 1 ms to 1 h
     * @throws IllegalArgumentException if one of them cannot be
     */
    public static SequenceClient of(String host, int port, Duration timeout) {
        var bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return builder()
                .endpoint(new HostPort(bare, port).toString())
                .timeout(timeout)
                .build();
    }

    /** How a client is to be; everything but an endpoint has a default. */
    public static final class Builder {
        private final ClientSettings settings = new ClientSettings();

        private Builder() {}

        /**
         * A router or AllocSvr at which the routes are watched; more than one may be named, in case one is away. Of a
         * name that stands for several addresses one is asked: to have them all, name each.
         *
         * @param hostPort {@code HOST:PORT}, an IPv6 address in brackets
         * @throws IllegalArgumentException if it is none, or its port is 0
         */
        public Builder endpoint(String hostPort) {
            settings.endpoint(HostPort.parse(hostPort));
            return this;
        }

        /** The namespace of calls that name none. */
        public Builder namespace(String name) {
            settings.namespace = Optional.of(name);
            return this;
        }

        /** How long a call may take with all its retries, from 1 ms to 1 h; 5 s if not set. */
        public Builder timeout(Duration timeout) {
            settings.timeout(timeout);
            return this;
        }

        /** How many calls may be open, from 1 to 2^20; 65,536 if not set. More are refused at once. */
        public Builder openCalls(int most) {
            settings.openCalls = ClientSettings.between("openCalls", most, 1, 1 << 20);
            return this;
        }

        /**
         * How many frames one owner may have to answer at a time, from 1 to 64; 2 if not set. It may have one more of
         * each namespace and verb of which it has none, up to 8.
         */
        public Builder framesInFlight(int most) {
            settings.framesInFlight = ClientSettings.between("framesInFlight", most, 1, 64);
            return this;
        }

        /** How long a frame may go without an answer before its calls go out again: for whoever counts frames. */
        Builder patience(Duration least) {
            settings.patience = least;
            return this;
        }

        /** How many calls a frame holds at most, from 1 to 5,000; 1,000 if not set. */
        public Builder callsPerFrame(int most) {
            settings.callsPerFrame = ClientSettings.between("callsPerFrame", most, 1, MOST_CALLS_PER_FRAME);
            return this;
        }

        /**
         * Of how many users the client remembers what it was answered, to notice a step back, from 0 to 2^24; 65,536 if
         * not set. Each costs 32 bytes. Of more users than that, some are forgotten.
         */
        public Builder rememberedUsers(int users) {
            settings.rememberedUsers = ClientSettings.between("rememberedUsers", users, 0, 1 << 24);
            return this;
        }

        /**
         * Everything goes to the one endpoint, as if it owned all: for clients that reach that only. It has to pass
         * on what it does not own: routers do; an AllocSvr serves its own users alone.
         */
        public Builder viaEndpoint() {
            settings.viaEndpoint = true;
            return this;
        }

        /**
         * The client. It connects at once, and waits for nobody.
         *
         * @throws IllegalArgumentException if no endpoint was named, or several for a client that goes through one
         */
        public SequenceClient build() {
            settings.requireWhole();
            return new SequenceClient(settings.copy());
        }
    }

    /**
     * Takes the next sequence of a user in the default namespace.
     *
     * @throws IllegalStateException if the client has none
     */
    public CompletionStage<SequenceRange> next(long uid) {
        return next(defaultNamespace(), NextCall.of(uid));
    }

    /**
     * Takes the next {@code count} sequences of a user in the default namespace.
     *
     * @throws IllegalStateException if the client has none
     */
    public CompletionStage<SequenceRange> next(long uid, long count) {
        return next(defaultNamespace(), NextCall.of(uid, count));
    }

    /**
     * Takes the next sequences of a user.
     *
     * @param namespace name of the namespace
     * @param uid the user, read as an unsigned number
     * @param count how many, from 1 to the namespace's max_count
     */
    public CompletionStage<SequenceRange> next(String namespace, long uid, long count) {
        return next(namespace, NextCall.of(uid, count));
    }

    /**
     * Takes the next sequences of a user, within the bounds of the call.
     *
     * @param namespace name of the namespace
     * @param wanted whose, how many, and not below what
     */
    public CompletionStage<SequenceRange> next(String namespace, NextCall wanted) {
        requireUsable(namespace);
        return begin(pending(namespace, wanted));
    }

    private Pending<SequenceRange> pending(String namespace, NextCall wanted) {
        var call = new Call.Next(namespace, wanted.uid(), wanted.count(), wanted.atLeast());
        return new Pending.Next(call, wanted.minEpoch(), terms);
    }

    /**
     * Takes sequences of many users, or of one user many times. Nothing ties the items together: each has an outcome
     * of its own, and one that failed takes nothing back from the others. Those of one user are mostly served in order,
     * but one that has to be tried again may get greater numbers than one that comes after it.
     *
     * @param namespace name of the namespace of them all
     * @param wanted the items; each is one open call
     * @return one outcome for each item, in order; the stage itself does not fail
     */
    public CompletionStage<List<ItemOutcome<SequenceRange>>> nextMany(String namespace, List<NextCall> wanted) {
        var items = List.copyOf(wanted);
        requireUsable(namespace);
        var uids = items.stream().map(NextCall::uid).toList();
        return ItemOutcomes.of(uids, i -> begin(pending(namespace, items.get(i))));
    }

    /**
     * Tells the last sequence of a user in the default namespace; takes nothing.
     *
     * @throws IllegalStateException if the client has none
     */
    public CompletionStage<CurrentSequence> current(long uid) {
        return current(defaultNamespace(), uid);
    }

    /**
     * Tells the last sequence of a user; takes nothing.
     *
     * @param namespace name of the namespace
     * @param uid the user, read as an unsigned number
     */
    public CompletionStage<CurrentSequence> current(String namespace, long uid) {
        requireUsable(namespace);
        return begin(new Pending.Current(new Call.Current(namespace, uid), terms));
    }

    /**
     * Tells the last sequences of many users; takes nothing.
     *
     * @param namespace name of the namespace of them all
     * @param uids the users, read as unsigned numbers; each is one open call
     * @return one outcome for each user, in order; the stage itself does not fail
     */
    public CompletionStage<List<ItemOutcome<CurrentSequence>>> currentMany(String namespace, List<Long> uids) {
        var users = List.copyOf(uids);
        requireUsable(namespace);
        return ItemOutcomes.of(
                users, i -> begin(new Pending.Current(new Call.Current(namespace, users.get(i)), terms)));
    }

    /**
     * Lifts a user: every sequence that it gets after the answer is above the floor, whatever fails in between. Takes
     * no sequence; a repeat is harmless.
     *
     * @param namespace name of the namespace
     * @param uid the user, read as an unsigned number
     * @param floor the greatest number that the user must never get again; at most max_jump above what its segment has
     *     made durable
     */
    public CompletionStage<RaisedFloor> raiseFloor(String namespace, long uid, long floor) {
        requireUsable(namespace);
        return begin(new Pending.Lift(new Call.RaiseFloor(namespace, uid, floor), terms));
    }

    /** Before any call is begun; a null would take it out of everybody's sight on the loop. */
    private void requireUsable(String namespace) {
        Objects.requireNonNull(namespace, "the name of the namespace is null");
        if (closed.get()) {
            throw new IllegalStateException("the client is closed");
        }
    }

    private <T> Pending<T> begin(Pending<T> pending) {
        loop.call(pending);
        return pending;
    }

    private String defaultNamespace() {
        return settings.namespace.orElseThrow(
                () -> new IllegalStateException("the client was built without a namespace: name one in the call"));
    }

    /** The same calls in blocking form; on the thread on which stages complete they throw IllegalStateException. */
    public BlockingSequences blocking() {
        return new BlockingSequences(this);
    }

    /**
     * Waits for a stage of this client and unwraps its {@link SequenceException}.
     *
     * @throws IllegalStateException on an event loop, as the one that completes calls is, if it has not ended
     */
    public static <T> T join(CompletionStage<T> stage) {
        var ends = stage.toCompletableFuture();
        if (!ends.isDone()) {
            BlockingSequences.requireWaiting();
        }
        try {
            return ends.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof SequenceException typed) {
                throw typed;
            }
            throw failed;
        }
    }

    /**
     * How often an answer stepped back behind what this client had given out. None was given out; but the cluster has
     * broken its promise: anything but 0 is an alarm.
     */
    public long backward() {
        return loop.counts().count(LineCounts.Event.BACKWARD);
    }

    LineCounts counts() {
        return loop.counts();
    }

    /**
     * Takes no more calls (these throw IllegalStateException), waits for those that are open, at most as long as a call
     * may take, and closes the connections. What has not ended by then fails with an unknown outcome; so does what
     * comes while this begins. Whoever is interrupted waits no longer; everything is closed all the same, and the
     * thread is still interrupted afterwards. Who closes it once more waits for nobody.
     *
     * @throws IllegalStateException on an event loop, of this client or of any other Vert.x: that thread may complete
     *     calls, which this would wait for; nothing is closed
     */
    @Override
    public void close() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("this thread completes calls, and close() waits for it; close the client on"
                    + " another one, by CompletableFuture.runAsync(client::close) for example");
        }
        if (closed.compareAndSet(false, true)) {
            Closing.close(loop, watch, vertx, settings.timeout);
        }
    }
}
