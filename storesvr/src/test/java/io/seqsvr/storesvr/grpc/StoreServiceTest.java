package io.seqsvr.storesvr.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CounterPage;
import io.seqsvr.proto.internal.v1.CounterTable;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.ExpireSession;
import io.seqsvr.proto.internal.v1.FetchTables;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.HandOver;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Move;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.RaiseItem;
import io.seqsvr.proto.internal.v1.Release;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.StoreTables;
import io.seqsvr.proto.internal.v1.StoredTable;
import io.seqsvr.proto.internal.v1.WaitingCommands;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storesvr.Deadline;
import io.seqsvr.storesvr.TestClient;
import io.seqsvr.storesvr.TestCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service refuses before the log, what it adds to replies, and when a long poll is answered. */
@Tag("group")
class StoreServiceTest {
    private static final long GRANTER_NANOS = new io.seqsvr.core.lease.LeaseTerms(60_000_000_000L, 100).granterNanos();

    @TempDir
    private static Path root = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit calls start first
    private static TestCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private static TestClient client;

    @BeforeAll
    static void start() throws StartupException {
        cluster = TestCluster.format(root, 1);
        cluster.start();
        client = new TestClient(cluster.addresses());
        // Answered by whoever leads: from here on that is somebody.
        client.execute(new StoreCommand.Renew(-1));
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static HostPort peer() {
        return cluster.address(0);
    }

    private static NotSubmitted refusal(Command.Builder command) {
        var reply = client.execute(peer(), cluster.id(), command.build());
        assertTrue(reply.hasNotSubmitted(), () -> "answered with " + reply);
        assertEquals(cluster.id(), reply.getClusterId());
        return reply.getNotSubmitted();
    }

    private static void assertRefused(NotSubmitted.Cause cause, String detail, Command.Builder command) {
        var refusal = refusal(command);
        assertEquals(cause, refusal.getCause(), refusal.getDetail());
        assertTrue(refusal.getDetail().contains(detail), refusal.getDetail());
        assertEquals("", refusal.getLeaderAddress());
    }

    private static Command.Builder publish(int segments) {
        return Command.newBuilder()
                .setPublishRoutes(PublishRoutes.newBuilder()
                        .setExpectedVersion(client.awaitView(any -> true).publishVersion())
                        .addMoves(Move.newBuilder()
                                .setNamespaceId(2)
                                .setLastSegment(segments - 1)
                                .setSession(1)));
    }

    private static Command.Builder raise(int segments) {
        var raise = Raise.newBuilder().setSession(-1);
        IntStream.range(0, segments)
                .forEach(segment -> raise.addItems(RaiseItem.newBuilder()
                        .setNamespaceId(2)
                        .setSegment(segment)
                        .setEpoch(1)
                        .setMaxSeq(1)));
        return Command.newBuilder().setRaise(raise);
    }

    private static Future<WatchReply> watch(long since, int waitMillis) {
        return client.watch(peer(), since, waitMillis);
    }

    private static long version() {
        return Deadline.await(watch(0, 0)).getVersion();
    }

    @Test
    void aCommandInTheNameOfAnotherClusterIsRefused() {
        var renew =
                Command.newBuilder().setRenew(Renew.newBuilder().setSession(1)).build();
        var refused = client.execute(peer(), "another-cluster", renew);
        assertEquals(NotSubmitted.Cause.OTHER_CLUSTER, refused.getNotSubmitted().getCause());
        assertEquals(
                "this peer is of cluster " + cluster.id() + ", the caller of another-cluster",
                refused.getNotSubmitted().getDetail());
        assertTrue(client.execute(peer(), "", renew).hasReply(), "a caller that knows no cluster yet");
    }

    @Test
    void aCommandInTheNameOfAnotherLifeOfTheClusterIsRefusedAndToldTheRightOne() {
        var renew = ExecuteRequest.newBuilder()
                .setClusterId(cluster.id())
                .setCommand(Command.newBuilder().setRenew(Renew.newBuilder().setSession(1)));
        var refused = client.execute(peer(), renew.setIncarnation(3).build());
        assertEquals(
                NotSubmitted.Cause.OTHER_INCARNATION, refused.getNotSubmitted().getCause());
        assertEquals(
                "this peer is of incarnation 0 of the cluster, the caller of 3",
                refused.getNotSubmitted().getDetail());
        assertTrue(refused.hasIncarnation());
        assertEquals(0, refused.getIncarnation());
        var answered = client.execute(peer(), renew.setIncarnation(0).build());
        assertTrue(answered.hasReply() && answered.hasIncarnation(), answered::toString);
        assertTrue(client.execute(peer(), renew.clearIncarnation().build()).hasReply(), "it knows none yet");
        assertTrue(Deadline.await(watch(0, 0)).hasIncarnation());
    }

    @Test
    void aCommandOfTooManySegmentsNeverReachesTheLog() {
        var rule = " segments; it must be 1 to 2000; it was not put into the log";
        assertRejected("PublishRoutes names 2001" + rule, publish(2_001));
        assertRejected("PublishRoutes names 0" + rule, publish(0));
        assertRejected("Raise names 2001" + rule, raise(2_001));
        assertRejected("Raise names 0" + rule, raise(0));
        assertRejected(
                "Release names 2001" + rule,
                Command.newBuilder().setRelease(Release.newBuilder().addAllItems(sealed(2_001))));
        assertRejected(
                "HandOver names 2001" + rule,
                Command.newBuilder().setHandOver(HandOver.newBuilder().addAllItems(sealed(2_001))));
        var confirmation = Renew.newBuilder().addAllHoldings(Collections.nCopies(2_001, Holding.getDefaultInstance()));
        assertRejected(
                "Renew names 2001 segments; it must be 0 to 2000; it was not put into the log",
                Command.newBuilder().setRenew(confirmation));
    }

    @Test
    void tablesOfCountersWithPagesOfNobodyNeverReachTheLog() {
        var table = CounterTable.newBuilder().setEpoch(1).setServed(1).setHigh(1);
        table.addAllPages(Collections.nCopies(400_000, CounterPage.getDefaultInstance()));
        var stored = StoredTable.newBuilder().setNamespaceId(2).setTable(table);
        assertRejected(
                "StoreTables has a table of segment 2/0 with a page of nobody, or out of its place; pages must ascend,"
                        + " each with a user; it was not put into the log",
                Command.newBuilder()
                        .setStoreTables(StoreTables.newBuilder().setSession(-1).addTables(stored)));
        var holdings = Collections.nCopies(
                2, Holding.newBuilder().setNamespaceId(2).setSegment(7).build());
        assertRejected(
                "FetchTables names segment 2/7 twice; it must name each once; it was not put into the log",
                Command.newBuilder()
                        .setFetchTables(FetchTables.newBuilder().setSession(-1).addAllHoldings(holdings)));
    }

    private static List<Sealed> sealed(int segments) {
        return IntStream.range(0, segments)
                .mapToObj(segment -> Sealed.newBuilder()
                        .setNamespaceId(2)
                        .setSegment(segment)
                        .build())
                .toList();
    }

    private static void assertRejected(String reason, Command.Builder command) {
        var reply = client.execute(peer(), cluster.id(), command.build());
        assertEquals(reason, reply.getReply().getRejected().getReason(), reply::toString);
    }

    @Test
    void aCommandOfTheMostSegmentsIsCarriedOut() {
        long session = client.open("owner-of-many");
        client.publish(2, 0, 1_999, session);
        var items = IntStream.range(0, 2_000)
                .mapToObj(segment -> new StoreCommand.RaiseItem(new SegmentId(2, segment), 1, Long.MAX_VALUE))
                .toList();
        var raised = client.execute(StoreReply.Raised.class, new StoreCommand.Raise(session, items));
        assertEquals(
                2_000,
                raised.items().stream().filter(StoreReply.RaisedItem::accepted).count());
        assertEquals(2_000, client.claim(session).size());
    }

    @Test
    void aCommandOfTooManyBytesNeverReachesTheLog() {
        var name = "n".repeat(1 << 20);
        var command = Command.newBuilder()
                .setOpenSession(OpenSession.newBuilder().setName(name).setAddress("a:1"));
        assertRefused(NotSubmitted.Cause.TOO_LARGE, " bytes; it may have 1048576", command);
    }

    /** Renewals weigh nothing in an entry: a few of nearly 1 MiB made one that no leader could send. */
    @Test
    void whatThePeerDoesNotKnowOfACommandNeverReachesTheLog() throws IOException {
        var marked = "known to nobody ".repeat(20_000);
        var unknown = UnknownFieldSet.newBuilder()
                .addField(
                        1_000,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(marked))
                                .build())
                .build();
        var renew = Command.newBuilder().setRenew(Renew.newBuilder().setSession(-1));
        renew.setUnknownFields(unknown).getRenewBuilder().setUnknownFields(unknown);
        var answered = client.execute(peer(), cluster.id(), renew.build());
        assertTrue(answered.getReply().hasSessionGone(), answered::toString);
        try (var files = Files.walk(root)) {
            var log = files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .toList();
            assertFalse(log.isEmpty());
            for (var segment : log) {
                assertFalse(
                        Files.readString(segment, StandardCharsets.ISO_8859_1).contains("known to nobody"));
            }
        }
    }

    @Test
    void whatOnlyStoreSvrSendsIsRefusedFromOutside() {
        var expire =
                Command.newBuilder().setExpireSession(ExpireSession.newBuilder().setSession(1));
        assertRefused(NotSubmitted.Cause.MALFORMED, "only StoreSvr itself sends EXPIRE_SESSION", expire);
        var create = Command.newBuilder()
                .setCreateCluster(CreateCluster.newBuilder()
                        .setLease(LeaseTerms.newBuilder()
                                .setTtlNanos(3_000_000_000L)
                                .setDriftPermille(100)));
        assertRefused(NotSubmitted.Cause.MALFORMED, "only StoreSvr itself sends CREATE_CLUSTER", create);
    }

    @Test
    void aCommandThatCannotBeReadIsRefusedAndNotApplied() {
        assertRefused(NotSubmitted.Cause.MALFORMED, "of no known kind", Command.newBuilder());
        assertRefused(
                NotSubmitted.Cause.MALFORMED,
                "the kind of a session is 0; it must be 1 (allocator) or 2 (router)",
                Command.newBuilder()
                        .setOpenSession(OpenSession.newBuilder().setName("a").setAddress("a:1")));
        assertRefused(
                NotSubmitted.Cause.MALFORMED,
                "it must be below 2^63",
                Command.newBuilder()
                        .setRelease(Release.newBuilder()
                                .addItems(Sealed.newBuilder().setHigh(-1))));
        var noLease = Command.newBuilder().setCreateCluster(CreateCluster.getDefaultInstance());
        assertRefused(NotSubmitted.Cause.MALFORMED, "ttl is 0 ms", noLease);
    }

    /** Others would try to call it. */
    @Test
    void aSessionUnderNoAddressNeverReachesTheLog() {
        long before = version();
        for (var address : List.of("", "former-life", "alloc-1", "alloc-1:0", "alloc-1:65536", "::1:7721")) {
            var open = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "nowhere", address);
            var reason = client.execute(StoreReply.Rejected.class, open).reason();
            assertEquals(
                    "OpenSession of 'nowhere' with the address '" + address
                            + "', which is no HOST:PORT with a port from 1"
                            + " to 65535; others could not call it; it was not put into the log",
                    reason);
        }
        assertEquals(before, version());
        client.open("alloc_1");
    }

    @Test
    void theLeaderAddsTheTimeToWaitForAHeldName() {
        long session = client.open("held");
        var newcomer = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "held", "elsewhere:1");
        var first = client.execute(StoreReply.SessionHeld.class, newcomer);
        assertEquals(new StoreReply.SessionHeld(session, "held", "held:1", first.remainingNanos()), first);
        assertTrue(first.remainingNanos() <= GRANTER_NANOS, first.toString());

        Deadline.await(watch(version(), 50));
        var second = client.execute(StoreReply.SessionHeld.class, newcomer);
        assertTrue(
                second.remainingNanos() <= first.remainingNanos() - TimeUnit.MILLISECONDS.toNanos(40),
                () -> "the timer stands still: " + first + ", " + second);

        long renewed = System.nanoTime();
        client.execute(new StoreCommand.Renew(session));
        var third = client.execute(StoreReply.SessionHeld.class, newcomer);
        assertTrue(
                third.remainingNanos() >= GRANTER_NANOS - (System.nanoTime() - renewed),
                () -> "the renewal did not start it anew: " + third);
    }

    @Test
    void aWatchOfAnOlderVersionIsAnsweredAtOnce() {
        long version = client.open("seen");
        var reply = Deadline.await(watch(version - 1, 60_000));
        assertEquals(cluster.id(), reply.getClusterId());
        assertEquals(version, reply.getVersion());
        assertEquals(2, reply.getView().getNamespacesCount());
        assertTrue(reply.getView().getSessionsList().stream().anyMatch(session -> session.getSession() == version));
    }

    @Test
    void aWatchOfTheNewestVersionWaitsForAChangeAndShowsIt() {
        long version = version();
        var waiting = List.of(watch(version, 60_000), watch(version, 60_000), watch(version + 1, 60_000));
        // An answered call behind them on the same connection: they are waiting by now.
        assertFalse(Deadline.await(watch(version, 0)).hasView());
        assertFalse(waiting.get(0).isComplete());
        long session = client.open("change");
        for (var one : waiting) {
            var reply = Deadline.await(one);
            assertEquals(session, reply.getVersion());
            assertTrue(reply.getView().getSessionsList().stream().anyMatch(seen -> seen.getSession() == session));
        }
    }

    /** As AllocSvrs and routers do, each over a connection of its own. */
    @Test
    void hundredsThatWatchAllHearOfAChange() {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            var context = vertx.getOrCreateContext();
            var stores = Stream.generate(() -> new StoreClient(vertx, List.of(peer()), Duration.ofSeconds(15)))
                    .limit(300)
                    .toList();
            long version = version();
            var current = stores.stream()
                    .map(store -> NodeServer.onContext(context, () -> store.watch(version - 1, Duration.ofSeconds(60))))
                    .toList();
            current.forEach(view ->
                    assertEquals(version, Deadline.await(view).orElseThrow().version()));
            var waiting = stores.stream()
                    .map(store -> NodeServer.onContext(context, () -> store.watch(version, Duration.ofSeconds(60))))
                    .toList();
            long session = client.open("heard by hundreds");
            for (var one : waiting) {
                var view = Deadline.await(one).orElseThrow();
                assertTrue(view.session(session).isPresent(), view::toString);
            }
        } finally {
            Deadline.await(vertx.close());
        }
    }

    /** What it waits for never comes here: it has to look elsewhere, at once. */
    @Test
    void aWatchFromAnotherClusterOrFromALaterLifeOfThisOneHearsAtOnceWhomItAsked() {
        var replies = List.of(
                client.watch(peer(), "another", 0, 60_000), client.watch(peer(), cluster.id(), 1L << 53, 60_000));
        for (var reply : replies) {
            var told = Deadline.await(reply);
            assertEquals(cluster.id(), told.getClusterId());
            assertTrue(told.hasIncarnation());
            assertEquals(0, told.getIncarnation());
            assertFalse(told.hasView());
        }
        assertTrue(Deadline.await(client.watch(peer(), cluster.id(), 0, 60_000)).hasView());
    }

    @Test
    void aWatchThatSawNoChangeComesBackUnchangedAfterItsWait() {
        long version = version();
        long asked = System.nanoTime();
        var reply = Deadline.await(watch(version, 150));
        assertTrue(System.nanoTime() - asked >= TimeUnit.MILLISECONDS.toNanos(140));
        assertEquals(version, reply.getVersion());
        assertFalse(reply.hasView());
    }

    @Test
    void aFurtherRenewalAndARaiseWakeNobody() {
        long session = client.open("quiet");
        client.execute(StoreReply.Renewed.class, new StoreCommand.Renew(session));
        long version = client.publish(1, 9, 9, session);
        var waiting = watch(version, 150);
        client.execute(StoreReply.Renewed.class, new StoreCommand.Renew(session));
        client.raise(session, new SegmentId(1, 9), 1, 1_000);
        var reply = Deadline.await(waiting);
        assertEquals(version, reply.getVersion());
        assertFalse(reply.hasView());
    }

    @Test
    void everyKindOfChangeWakesAWatch() {
        long opened = client.open("kinds");
        var table = watch(opened, 60_000);
        long published = client.publish(1, 0, 0, opened);
        assertEquals(published, Deadline.await(table).getVersion());
        assertEquals(published, Deadline.await(table).getView().getRoutes().getVersion());
        var end = watch(published, 60_000);
        client.execute(StoreReply.SessionEnded.class, new StoreCommand.CloseSession(opened));
        var seen = Deadline.await(end);
        assertTrue(seen.getVersion() > published);
        assertTrue(seen.getView().getSessionsList().stream().noneMatch(session -> session.getSession() == opened));
    }

    @Test
    void aPeerTellsOfItselfAndOfItsCluster() {
        var before = client.status(peer());
        assertEquals(TestCluster.idOf(0), before.getPeerId());
        assertEquals(cluster.id(), before.getClusterId());
        assertTrue(before.hasIncarnation() && before.getIncarnation() == 0, before::toString);
        assertTrue(before.getLeads() && before.getReady() && before.getTerm() > 0, before::toString);
        assertEquals(TestCluster.idOf(0), before.getLeaderId());
        assertEquals(peer().toString(), before.getLeaderAddress());
        assertEquals(
                List.of(GroupMember.newBuilder()
                        .setPeerId(TestCluster.idOf(0))
                        .setAddress(peer().toString())
                        .setRaft(cluster.peers().get(0).raft().toString())
                        .build()),
                before.getMembersList());
        assertEquals(0, before.getFormerMembersCount());
        assertEquals(60_000_000_000L, before.getLease().getTtlNanos());
        assertEquals(100, before.getLease().getDriftPermille());
        assertEquals(2, before.getNamespaces());
        assertEquals(WaitingCommands.getDefaultInstance(), before.getWaiting());
    }

    @Test
    void whatAPeerTellsOfItselfGrowsWithTheLog() {
        var before = client.status(peer());
        long session = client.open("told");
        client.execute(new StoreCommand.OpenSession(SessionKind.ROUTER, 1, "told-router", "told-router:1"));
        long published = client.publish(1, 3, 4, session);
        var after = client.status(peer());
        assertTrue(after.getAppliedIndex() > before.getAppliedIndex(), () -> before + " then " + after);
        assertEquals(before.getAllocators() + 1, after.getAllocators());
        assertEquals(before.getRouters() + 1, after.getRouters());
        assertEquals(before.getSegments() + 2, after.getSegments());
        assertEquals(published, after.getWatchVersion());
    }
}
