package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Future;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which commands share a connection: renewals that confirm nothing stand behind none of the others. */
class StoreClientConnectionsTest {
    private static final StoreCommand RENEWAL = new StoreCommand.Renew(7);
    private static final StoreCommand CONFIRMATION =
            new StoreCommand.Renew(7, List.of(new StoreCommand.Holding(new SegmentId(1, 2), 3)));
    private static final StoreCommand CLAIM = new StoreCommand.Claim(7, 0);

    private final Loop loop = new Loop();
    private final FakePeer peer = new FakePeer(loop);
    private final NetClient passingOn = loop.vertx().createNetClient();
    private int connections;

    @AfterEach
    void close() {
        loop.close();
    }

    /** A port that passes everything on to the peer and counts connections. */
    private NetServer counter() {
        return loop.result(() -> loop.vertx()
                .createNetServer()
                .connectHandler(caller -> {
                    connections++;
                    caller.pause();
                    // Held by the test: Vert.x closes the connections of a client that nobody holds.
                    passingOn
                            .connect(peer.address().port(), peer.address().host())
                            .onSuccess(callee -> join(caller, callee))
                            .onFailure(refused -> caller.close());
                })
                .listen(0, "127.0.0.1"));
    }

    private static void join(NetSocket caller, NetSocket callee) {
        var unusedRequest = caller.pipeTo(callee);
        var unusedReply = callee.pipeTo(caller);
    }

    private int connectionsFor(StoreCommand... commands) {
        var address = new HostPort("127.0.0.1", counter().actualPort());
        var client = loop.result(
                () -> Future.succeededFuture(new StoreClient(loop.vertx(), List.of(address), Duration.ofSeconds(5))));
        connections = 0;
        for (var command : commands) {
            loop.result(() -> client.execute(command));
        }
        return loop.result(() -> Future.succeededFuture(connections));
    }

    @Test
    void aRenewalSharesItsConnectionWithRenewalsOnly() {
        assertEquals(1, connectionsFor(RENEWAL, RENEWAL));
        assertEquals(2, connectionsFor(RENEWAL, CLAIM));
        assertEquals(2, connectionsFor(RENEWAL, CONFIRMATION));
    }

    @Test
    void aConfirmationMayBeBigAndGoesTheWayOfTheOtherCommands() {
        assertEquals(1, connectionsFor(CLAIM, CONFIRMATION, CONFIRMATION));
    }
}
