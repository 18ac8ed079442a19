package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.AlterNamespace;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateNamespace;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.HandOver;
import io.seqsvr.proto.internal.v1.Namespace;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands, replies and views over a real connection: what one side means is what the other side reads. */
class WireTest {
    private static final int ROUNDS = 400;

    private final Vertx vertx = NodeServer.newVertx();
    private final Context context = vertx.getOrCreateContext();
    private final Queue<StoreCommand> read = new ArrayDeque<>();
    private StoreReply reply = new StoreReply.SessionGone(1);
    private Optional<StoreView> view = Optional.empty();

    @SuppressWarnings("NullAway.Init") // JUnit calls start first
    private StoreClient client;

    @BeforeEach
    void start() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var port = Deadline.await(NodeServer.onContext(
                context,
                () -> new NodeServer.Builder(vertx, registry, "storesvr")
                        .method(StoreRpc.EXECUTE, (request, timeout, caller) -> execute(request))
                        .method(StoreRpc.WATCH, (request, timeout, caller) -> watch())
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true))));
        client = new StoreClient(vertx, List.of(port.address()), Duration.ofSeconds(5));
    }

    @AfterEach
    void stop() {
        Deadline.await(vertx.close());
    }

    private Future<ExecuteReply> execute(ExecuteRequest request) {
        read.add(CommandDecoder.decode(request.getCommand()));
        return Future.succeededFuture(ExecuteReply.newBuilder()
                .setClusterId("cluster-1")
                .setReply(ReplyEncoder.encode(reply))
                .build());
    }

    private Future<WatchReply> watch() {
        var shown = view.orElseThrow();
        return Future.succeededFuture(WatchReply.newBuilder()
                .setClusterId("cluster-1")
                .setVersion(shown.version())
                .setView(ReplyEncoder.encode(shown))
                .build());
    }

    @Test
    void everyCommandAndEveryReplyIsReadAsItWasMeant() throws IOException {
        Seed.announcedFor(WireTest.class).run(this::randomCommandsAndReplies);
    }

    private void randomCommandsAndReplies(SplittableRandom random) {
        var messages = new RandomMessages(random);
        var replyKinds = new HashSet<Class<?>>();
        for (int i = 0; i < ROUNDS; i++) {
            var command = messages.command();
            reply = messages.reply();
            replyKinds.add(reply.getClass());
            assertEquals(reply, Deadline.await(NodeServer.onContext(context, () -> client.execute(command))));
            assertEquals(command, read.remove());
        }
        assertEquals(StoreReply.class.getPermittedSubclasses().length, replyKinds.size());
    }

    @Test
    void everyViewIsReadAsItWasMeant() throws IOException {
        Seed.announcedFor(WireTest.class).run(this::randomViews);
    }

    private void randomViews(SplittableRandom random) {
        var messages = new RandomMessages(random);
        for (int i = 0; i < ROUNDS; i++) {
            view = Optional.of(messages.view());
            var seen = Deadline.await(NodeServer.onContext(context, () -> client.watch(0, Duration.ofSeconds(1))))
                    .orElseThrow();
            assertEquals(flat(view.orElseThrow()), flat(seen));
        }
    }

    /** A route table has no equality of its own. */
    private static List<Object> flat(StoreView shown) {
        return List.of(
                shown.version(),
                shown.lease(),
                shown.namespaces(),
                shown.sessions(),
                shown.publishVersion(),
                shown.routes().version(),
                shown.routes().ranges(),
                shown.released().version(),
                shown.released().ranges());
    }

    private static void assertRefused(String message, Command.Builder command) {
        var refused = assertThrows(IllegalArgumentException.class, () -> CommandDecoder.decode(command.build()));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void aSessionOfNoKnownKindIsRefusedByTheNumber() {
        var rule = "; it must be 1 (allocator) or 2 (router)";
        assertRefused(
                "the kind of a session is 0" + rule,
                Command.newBuilder().setOpenSession(OpenSession.newBuilder().setName("a")));
        assertRefused(
                "the kind of a session is 9" + rule,
                Command.newBuilder().setOpenSession(OpenSession.newBuilder().setKindValue(9)));
    }

    @Test
    void settingsThatNobodyKnowsAndAnIdThatIsNotTheirsToGiveAreRefused() {
        assertRefused(
                "the id of the new namespace 'a' is 7; it must be 0, as the store gives it",
                Command.newBuilder()
                        .setCreateNamespace(CreateNamespace.newBuilder()
                                .setSettings(Namespace.newBuilder().setName("a").setId(7))));
        assertRefused(
                "the keying of namespace 'a' is 0; it must be 1 (direct) or 2 (hashed)",
                Command.newBuilder()
                        .setCreateNamespace(CreateNamespace.newBuilder()
                                .setSettings(Namespace.newBuilder().setName("a"))));
        assertRefused(
                "the order of namespace 'a' is 9; it must be 1 (lease) or 2 (quorum)",
                Command.newBuilder()
                        .setAlterNamespace(
                                AlterNamespace.newBuilder().setName("a").setOrderValue(9)));
        assertRefused(
                "the keying of namespace 'a' is 0; it must be 1 (direct) or 2 (hashed)",
                Command.newBuilder()
                        .setAlterNamespace(
                                AlterNamespace.newBuilder().setName("a").setKeyingValue(0)));
    }

    @Test
    void aHighThatNoSequenceReachesIsNotTakenForTheAbsentOne() {
        var item = Sealed.newBuilder().setNamespaceId(1).setSegment(2).setEpoch(3);
        assertRefused(
                "high of segment 1/2 is 18446744073709551615; it must be below 2^63",
                Command.newBuilder()
                        .setHandOver(HandOver.newBuilder().addItems(item.clone().setHigh(-1))));
        var lost = new StoreCommand.Sealed(new SegmentId(1, 2), 3, StoreCommand.Sealed.NO_HIGH);
        assertEquals(
                new StoreCommand.HandOver(0, List.of(lost), 0),
                CommandDecoder.decode(Command.newBuilder()
                        .setHandOver(HandOver.newBuilder().addItems(item))
                        .build()));
    }
}
