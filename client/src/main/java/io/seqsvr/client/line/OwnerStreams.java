package io.seqsvr.client.line;

import io.seqsvr.core.route.Picture;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.UnkeptClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The streams to all owners, each over one connection of its own. */
final class OwnerStreams {
    /** What a peer may send before it was read, per stream and per connection. */
    private static final int WINDOW_BYTES = 4 << 20;

    private static final long PONG_WITHIN_MILLIS = 1_000;
    private static final Buffer PING = Buffer.buffer("are you?");

    private final Vertx vertx;
    private final int connectTimeoutMillis;
    private final long patienceNanos;
    private final OwnerStream.Listener listener;
    private final RandomGenerator random;
    private final Map<String, OwnerStream> streams = new HashMap<>();
    /** Those that get no further frame, and may still answer earlier ones. */
    private final Set<OwnerStream> retired = new HashSet<>();
    /** Those to which frames were sent since the last flush. */
    private final Set<OwnerStream> unflushed = new HashSet<>();
    /** Those that were asked whether anybody is there, less than a second ago. */
    private final Set<HttpConnection> doubted = new HashSet<>();

    private String clusterId = "";
    /** Version of the picture that is gone by; 0 if owners are to show none. */
    private long routesVersion;

    /**
     * No stream yet.
     *
     * @param patienceNanos who answers nobody for so long is taken for gone
     */
    OwnerStreams(
            Vertx vertx,
            int connectTimeoutMillis,
            long patienceNanos,
            OwnerStream.Listener listener,
            RandomGenerator random) {
        this.vertx = vertx;
        this.listener = listener;
        this.random = random;
        this.connectTimeoutMillis = connectTimeoutMillis;
        this.patienceNanos = patienceNanos;
    }

    private UnkeptClient<HttpClient> newClient() {
        return new UnkeptClient<>(vertx, this::newHttpClient, HttpClient::close);
    }

    private HttpClient newHttpClient() {
        return vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setHttp2ClearTextUpgrade(false)
                        .setConnectTimeout(connectTimeoutMillis)
                        .setHttp2ConnectionWindowSize(WINDOW_BYTES)
                        .setInitialSettings(new Http2Settings().setInitialWindowSize(WINDOW_BYTES)))
                .with(new PoolOptions().setHttp2MaxSize(1))
                // Streams are told of what breaks; without a handler the library would log it as well.
                .withConnectHandler(connection -> connection.exceptionHandler(told -> {}))
                .build();
    }

    void send(String address, OutgoingFrame frame, long nowNanos) {
        var stream = streams.get(address);
        if (stream == null) {
            try {
                stream = open(address);
            } catch (IllegalArgumentException none) {
                frame.unanswered(
                        "the picture of the cluster names an owner at '" + address + "': " + none.getMessage());
                return;
            }
            streams.put(address, stream);
        }
        stream.send(frame, nowNanos);
        unflushed.add(stream);
    }

    /** Whether an owner has said anything since then, of whatever frame. */
    boolean heardSince(String address, long nanos) {
        var stream = streams.get(address);
        return stream != null && stream.heardSince(nanos);
    }

    private OwnerStream open(String address) {
        return new OwnerStream(
                this::newClient,
                HostPort.parse(address),
                () -> clusterId,
                () -> routesVersion,
                listener,
                this::doubt,
                random);
    }

    /**
     * Nothing is heard over a connection while somebody waits. An owner that works on something answers a ping at once.
     * Else the connection is closed: over one that was cut, TCP sends again what was lost more and more seldom, and
     * whoever uses it later waits for that.
     */
    private void doubt(HttpConnection connection) {
        if (!doubted.add(connection)) {
            return;
        }
        var answered = connection.ping(PING);
        vertx.setTimer(PONG_WITHIN_MILLIS, over -> {
            doubted.remove(connection);
            if (!answered.succeeded()) {
                connection.close();
            }
        });
    }

    void flush() {
        if (!unflushed.isEmpty()) {
            // A copy: what breaks sends again, perhaps to somebody new.
            for (var stream : List.copyOf(unflushed)) {
                unflushed.remove(stream);
                stream.flush();
            }
        }
    }

    void tick(long nowNanos) {
        // A copy, as for a flush.
        var all = new HashSet<>(streams.values());
        all.addAll(retired);
        all.forEach(stream -> stream.tick(nowNanos, patienceNanos));
        var over = retired.stream().filter(stream -> !stream.isBegun()).toList();
        over.forEach(OwnerStream::close);
        retired.removeAll(over);
    }

    /**
     * Who is no owner any more gets no further frame.
     *
     * @param named version of the picture, for owners to show a newer one; 0 if they are to show none
     */
    void keep(String ofCluster, Picture picture, long named) {
        clusterId = ofCluster;
        routesVersion = named;
        var owners = new HashSet<Long>();
        picture.routes().ranges().forEach(range -> owners.add(range.owner()));
        var addresses = new HashSet<String>();
        owners.forEach(owner -> picture.addressOf(owner).ifPresent(addresses::add));
        streams.entrySet().removeIf(entry -> {
            if (addresses.contains(entry.getKey())) {
                return false;
            }
            entry.getValue().retire();
            retired.add(entry.getValue());
            return true;
        });
    }

    int size() {
        return streams.size();
    }

    Future<Void> close() {
        var all = new HashSet<>(streams.values());
        all.addAll(retired);
        streams.clear();
        retired.clear();
        return Future.join(all.stream().map(OwnerStream::close).toList()).mapEmpty();
    }
}
