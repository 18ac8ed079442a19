package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One session that raises one segment again and again, and remembers what was acknowledged. */
final class Raises implements AutoCloseable {
    private static final SegmentId SEGMENT = new SegmentId(1, 0);
    private static final long FIRST_EPOCH = 1;
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration GIVES_UP = Duration.ofSeconds(40);

    private final Vertx vertx = Vertx.vertx();
    private final StoreClient client;
    private final long session;
    private final AtomicLong acknowledged = new AtomicLong();
    private final Thread loop = new Thread(this::run, "raises");
    private volatile boolean stopping;

    /** Opens a session and begins. */
    Raises(List<Endpoint> peers) {
        client = new StoreClient(
                vertx,
                peers.stream()
                        .map(peer -> new HostPort(peer.host(), peer.port()))
                        .toList(),
                CALL);
        var open = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "raises", "raises:1");
        session = ((StoreReply.SessionOpened) execute(open)).session();
        var moves = List.of(new StoreCommand.Move(SEGMENT.namespaceId(), SEGMENT.index(), SEGMENT.index(), session));
        var refused = (StoreReply.RoutesRefused) execute(new StoreCommand.PublishRoutes(-1, moves));
        execute(new StoreCommand.PublishRoutes(refused.version(), moves));
        loop.start();
    }

    private void run() {
        while (!stopping) {
            raise();
        }
    }

    private void raise() {
        long next = acknowledged.get() + 1;
        var item = new StoreCommand.RaiseItem(SEGMENT, FIRST_EPOCH, next);
        var reply = (StoreReply.Raised) execute(new StoreCommand.Raise(session, List.of(item)));
        if (!reply.items().get(0).accepted()) {
            throw new IllegalStateException("a raise was refused: " + reply);
        }
        acknowledged.set(next);
    }

    /** Tried again through every failure: neither of these commands harms when repeated. */
    private StoreReply execute(StoreCommand command) {
        long start = System.nanoTime();
        while (true) {
            try {
                return NodeServer.onContext(vertx.getOrCreateContext(), () -> client.execute(command))
                        .await();
            } catch (RuntimeException defect) {
                throw defect;
            } catch (Throwable unavailable) { // await() throws checked causes undeclared
                if (System.nanoTime() - start > GIVES_UP.toNanos()) {
                    throw new IllegalStateException("nobody answers " + command, unavailable);
                }
            }
        }
    }

    /** How far raises were acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** Waits until some more were acknowledged. */
    void awaitMore() {
        long from = acknowledged();
        long start = System.nanoTime();
        while (acknowledged() < from + 20) {
            if (!loop.isAlive() || System.nanoTime() - start > GIVES_UP.toNanos()) {
                throw new IllegalStateException("no raise beyond " + acknowledged() + " is acknowledged");
            }
            Thread.onSpinWait();
        }
    }

    /** Stops raising; what the store holds then. */
    long stopAndClaim() throws InterruptedException {
        stopping = true;
        loop.join(GIVES_UP.toMillis());
        var claimed = (StoreReply.Claimed) execute(new StoreCommand.Claim(session, 0));
        return claimed.segments().get(0).maxSeq();
    }

    @Override
    public void close() {
        stopping = true;
        try {
            loop.join(GIVES_UP.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        vertx.close().await();
    }
}
