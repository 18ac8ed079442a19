package io.seqsvr.node.server;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import com.google.rpc.ErrorDetailsProto;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.node.socket.BoundedAccepts;
import io.seqsvr.node.socket.ConnectionRoom;
import io.seqsvr.node.socket.EarlyEnds;
import io.seqsvr.node.socket.MergedFlushes;
import io.seqsvr.node.socket.StreamRoom;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.StreamMethod;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.health.v1.HealthProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one port of a node: gRPC with health and reflection, JSON over HTTP, {@code /healthz} and {@code /metrics}. All
 * handlers run on the event loop of the context that called {@link Builder#listen}.
 */
public final class NodeServer {
    /** While a port stops it looks so often whether all is answered. */
    private static final long LOOK_MILLIS = 5;
    /** So long its last answers have to arrive: with its connection a caller may lose those that it has not read. */
    private static final long ARRIVES_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final HttpServer http;
    private final HostPort address;

    private final Context context;
    private final UnderWay underWay;
    private final UnfinishedBytes unreadReplies;
    private final Collection<StreamEndpoint> streams;

    private NodeServer(
            HttpServer http,
            HostPort address,
            Context context,
            UnderWay underWay,
            UnfinishedBytes unreadReplies,
            Collection<StreamEndpoint> streams) {
        this.http = http;
        this.underWay = underWay;
        this.unreadReplies = unreadReplies;
        this.address = address;
        this.context = context;
        this.streams = streams;
    }

    /**
     * A Vert.x of one event loop whose ports take 10,000 connections at most, and no more than three quarters of the
     * files that this process may have open.
     */
    public static Vertx newVertx() {
        return BoundedAccepts.newVertx(ConnectionRoom.ofThisProcess());
    }

    /** Collects what a port serves. */
    public static final class Builder {
        /** Pings keep a living HTTP/2 connection from being idle for so long; others are opened again at no cost. */
        private static final int IDLE_MILLIS = (int) (4 * ConnectionPings.EVERY_MILLIS);

        private final Vertx vertx;
        private final PrometheusMeterRegistry registry;
        private final String tier;
        private final RequestMetrics metrics;
        /** What callers ask for as gRPC-Web. */
        private LibraryPort web;
        /** Short requests, whose replies may be long, or many. */
        private LibraryPort aside;

        private UnfinishedRequests unfinished;
        /** By itself: a table of routes that hundreds of watchers are told of at once must not keep renewals out. */
        private UnfinishedBytes unreadReplies = UnfinishedBytes.ofReplies("replies", UnfinishedBytes.partOfHeap());
        /** By itself too: callers that come for a large table of routes together must not keep answers out. */
        private UnfinishedBytes unreadNews = UnfinishedBytes.ofReplies("news", UnfinishedBytes.partOfHeap());
        /** And so must whoever does not read single replies not end streams of frames. */
        private UnfinishedBytes unreadFrames =
                UnfinishedBytes.ofReplies("replies of frames", UnfinishedBytes.partOfHeap() / 2);

        private final UnderWay underWay = new UnderWay();
        private StreamRoom streamRoom = new StreamRoom(StreamRoom.ofThisProcess());
        private @Nullable MeantCluster meantCluster;
        private int idleMillis = IDLE_MILLIS;
        private long pingEveryMillis = ConnectionPings.EVERY_MILLIS;
        private long readWithinMillis = UnreadReplies.READ_WITHIN_MILLIS;
        private final Set<FileDescriptor> files = new LinkedHashSet<>();
        private final Set<String> services = new TreeSet<>();
        private final Map<String, UnaryEndpoint<?, ?>> methods = new HashMap<>();
        private final Map<String, StreamEndpoint> streams = new HashMap<>();
        private final List<JsonRoute<?, ?>> routes = new ArrayList<>();

        /**
         * A port that serves nothing yet.
         *
         * @param vertx runs it; made by {@link NodeServer#newVertx}
         * @param registry what {@code /metrics} shows
         * @param tier tag of the request meters
         */
        public Builder(Vertx vertx, PrometheusMeterRegistry registry, String tier) {
            this.vertx = vertx;
            this.registry = registry;
            this.tier = tier;
            this.metrics = new RequestMetrics(registry, tier);
            this.unfinished = unfinished(UnfinishedBytes.partOfHeap());
            this.web = web(UnfinishedBytes.partOfHeap() / 2);
            this.aside = aside(UnfinishedBytes.partOfHeap() / 4);
        }

        private UnfinishedRequests unfinished(long bytes) {
            return new UnfinishedRequests(vertx, UnfinishedBytes.ofRequests("requests", bytes), readWithinMillis);
        }

        private LibraryPort web(long bytes) {
            return new LibraryPort(
                    vertx,
                    LibraryPort.LONG_MESSAGE_BYTES,
                    UnfinishedBytes.ofRequests("requests of browsers", bytes),
                    metrics,
                    readWithinMillis);
        }

        private LibraryPort aside(long bytes) {
            return new LibraryPort(
                    vertx,
                    LibraryPort.SHORT_MESSAGE_BYTES,
                    UnfinishedBytes.ofRequests("requests aside", bytes),
                    metrics,
                    readWithinMillis);
        }

        /** So many bytes of requests, and of replies, are kept; called first. An eighth of the heap otherwise. */
        Builder keepingUnfinished(long bytes) {
            unfinished = unfinished(bytes);
            unreadReplies = UnfinishedBytes.ofReplies("replies", bytes);
            unreadNews = UnfinishedBytes.ofReplies("news", bytes);
            unreadFrames = UnfinishedBytes.ofReplies("replies of frames", bytes);
            web = web(bytes);
            aside = aside(bytes);
            return this;
        }

        /**
         * Long replies have to be read within this time, and requests that have begun have to end; called before {@link
         * #keepingUnfinished}. Ten seconds otherwise.
         */
        Builder readWithin(long millis) {
            readWithinMillis = millis;
            return this;
        }

        /** So many calls and streams may be open over HTTP/2; {@link StreamRoom#ofThisProcess} otherwise. */
        Builder takingStreams(int most) {
            streamRoom = new StreamRoom(most);
            return this;
        }

        /** Callers are asked so often whether they are there; every 30 seconds otherwise. */
        Builder pingingEvery(long millis) {
            pingEveryMillis = millis;
            return this;
        }

        /** A connection over which nothing comes for so long is closed; two minutes otherwise. */
        Builder idleFor(int millis) {
            idleMillis = millis;
            return this;
        }

        /** Calls and streams that mean another cluster than this are refused, or any one as long as it is not known. */
        public Builder ofCluster(Supplier<Optional<String>> clusterId) {
            meantCluster = new MeantCluster(clusterId);
            return this;
        }

        /** Has it told, on the event loop, that callers have left before their calls, or frames, were answered. */
        public Builder whenCallersLeave(Runnable told) {
            underWay.whenCallersLeave(told);
            return this;
        }

        /** Serves a method over gRPC, and as JSON if its .proto has an HTTP rule. */
        public <Q extends Message, R extends Message> Builder method(
                RpcMethod<Q, R> method, UnaryHandler<Q, R> handler) {
            var bound = new BoundMethod<>(vertx, method, handler, metrics, underWay);
            methods.put(method.path(), new UnaryEndpoint<>(bound, unfinished, unread(unreadReplies)));
            GrpcEndpoint.bind(web, bound, unread(unreadReplies));
            JsonRoute.of(bound).ifPresent(routes::add);
            files.add(method.descriptor().getFile());
            services.add(method.descriptor().getService().getFullName());
            return this;
        }

        /** Serves a method that streams both ways over gRPC. */
        public Builder stream(StreamMethod method, StreamHandler handler) {
            streams.put(
                    method.path(),
                    new StreamEndpoint(
                            vertx, method, handler, metrics, unfinished, unreadFrames, unread(unreadFrames), underWay));
            files.add(method.descriptor().getFile());
            services.add(method.descriptor().getService().getFullName());
            return this;
        }

        /** Serves a method over gRPC whose replies are a stream. */
        public <Q extends Message, R extends Message> Builder watch(RpcMethod<Q, R> method, WatchHandler<Q> handler) {
            new WatchEndpoint<>(vertx, method, handler, metrics, unread(unreadNews), underWay).bind(aside);
            files.add(method.descriptor().getFile());
            services.add(method.descriptor().getService().getFullName());
            return this;
        }

        /**
         * Starts listening.
         *
         * @param address where; port 0 takes a free one
         * @param healthy whether the node can really answer, asked anew for each health check
         */
        public Future<NodeServer> listen(HostPort address, Supplier<Future<Boolean>> healthy) {
            var health = new HealthEndpoint(
                    vertx,
                    Set.copyOf(services),
                    () -> underWay.isStopping() ? Future.succeededFuture(false) : healthy.get());
            health.bind(aside, metrics, unread(unreadReplies));
            files.add(HealthProto.getDescriptor());
            // Of what the details of errors are made.
            files.add(ErrorDetailsProto.getDescriptor());
            services.add("grpc.health.v1.Health");
            new ReflectionEndpoint(files, services, unread(unreadReplies)).bind(aside);
            var plain = new HttpEndpoint(vertx, routes, health, registry, metrics, unfinished, unread(unreadReplies));
            var pings = ConnectionPings.begin(vertx, pingEveryMillis);
            BoundedAccepts.roomOf(vertx).show(registry, tier);
            streamRoom.show(registry, tier);
            var admission = new Admission(streamRoom, meantCluster, metrics);
            return vertx.createHttpServer(PortOptions.of(address, idleMillis))
                    .connectionHandler(connection -> {
                        MergedFlushes.on(connection);
                        pings.on(connection);
                        streamRoom.on(connection);
                        EarlyEnds.on(connection);
                    })
                    .requestHandler(request -> {
                        if (!admission.refuses(request)) {
                            dispatch(request, plain);
                        }
                    })
                    .listen()
                    .map(http -> new NodeServer(
                            http,
                            new HostPort(address.host(), http.actualPort()),
                            vertx.getOrCreateContext(),
                            underWay,
                            unreadReplies,
                            streams.values()));
        }

        private UnreadReplies unread(UnfinishedBytes room) {
            return new UnreadReplies(vertx, room, readWithinMillis);
        }

        private void dispatch(HttpServerRequest request, HttpEndpoint plain) {
            var contentType = request.getHeader("content-type");
            if (contentType != null && contentType.startsWith("application/grpc")) {
                dispatch(request, contentType);
            } else {
                plain.handle(request);
            }
        }

        private void dispatch(HttpServerRequest request, String contentType) {
            var method = methods.get(request.path());
            var stream = streams.get(request.path());
            boolean plainGrpc = StreamEndpoint.takes(request, contentType);
            if (method != null && plainGrpc) {
                method.open(request);
            } else if (stream != null && plainGrpc) {
                stream.open(request);
            } else {
                (method != null ? web : aside).handle(request, contentType);
            }
        }
    }

    /** Runs on a context what must be built there, and gives its outcome to the caller. */
    public static <T> Future<T> onContext(Context context, Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(now -> {
            try {
                work.get().onComplete(done);
            } catch (RuntimeException defect) {
                done.fail(defect);
            }
        });
        return done.future();
    }

    /**
     * Fails if somebody else listens there: for whoever has more to do before it listens itself. Takes nothing, and
     * what is left of connections of a former process is no hindrance.
     */
    public static Future<Void> requireFree(HostPort address) {
        try (var bound = new Socket()) {
            bound.setReuseAddress(true);
            bound.bind(new InetSocketAddress(address.host(), address.port()));
            return Future.succeededFuture();
        } catch (IOException taken) {
            return Future.failedFuture(taken);
        }
    }

    /** Waits for a port to listen; blocks, so never on an event loop. */
    public static <T> T await(Future<T> listening, HostPort address) throws StartupException {
        try {
            return listening.await();
        } catch (RuntimeException | Error defect) {
            throw defect;
        } catch (Throwable refused) { // await() throws checked causes undeclared
            throw new StartupException("port " + address.port() + " on " + address.host() + " cannot be listened on: "
                    + refused.getMessage() + "; stop what uses it or choose another");
        }
    }

    /** Where it listens, with the port that it really has. */
    public HostPort address() {
        return address;
    }

    /** Stops listening, ends all streams and closes all connections, at once. */
    public Future<Void> close() {
        return onContext(context, () -> {
            streams.forEach(StreamEndpoint::close);
            return http.close();
        });
    }

    /**
     * Takes no more calls: whoever comes is told that the node is stopping. When those that were taken are answered it
     * closes.
     *
     * @param graceMillis what is not answered by then never is
     */
    public Future<Void> closeWhenAnswered(long graceMillis) {
        return NodeServer.<Void>onContext(context, () -> {
                    underWay.stop();
                    streams.forEach(StreamEndpoint::stop);
                    Promise<Void> quiet = Promise.promise();
                    long now = System.nanoTime();
                    awaitQuiet(now, now + TimeUnit.MILLISECONDS.toNanos(graceMillis), quiet);
                    return quiet.future();
                })
                .eventually(this::close);
    }

    private void awaitQuiet(long busyAtNanos, long overAtNanos, Promise<Void> quiet) {
        long now = System.nanoTime();
        boolean idle =
                underWay.isIdle() && unreadReplies.isEmpty() && streams.stream().allMatch(StreamEndpoint::isIdle);
        if (now - overAtNanos >= 0 || (idle && now - busyAtNanos >= ARRIVES_WITHIN_NANOS)) {
            quiet.complete();
        } else {
            context.owner().setTimer(LOOK_MILLIS, fired -> awaitQuiet(idle ? busyAtNanos : now, overAtNanos, quiet));
        }
    }
}
