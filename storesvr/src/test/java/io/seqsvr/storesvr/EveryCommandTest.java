package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.AlterNamespace;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.CreateNamespace;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.Claimed;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.ClusterAltered;
import io.seqsvr.core.store.StoreReply.NamespaceAltered;
import io.seqsvr.core.store.StoreReply.NamespaceCreated;
import io.seqsvr.core.store.StoreReply.NamespaceRefused;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.core.store.StoreReply.RoutesRefused;
import io.seqsvr.core.store.StoreReply.SessionEnded;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import io.seqsvr.node.StartupException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of command that needs no plan, through the real service and the real log. */
@Tag("group")
class EveryCommandTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    @TempDir
    private Path root = Path.of("");

    @ParameterizedTest(name = "{0} peers")
    @ValueSource(ints = {1, 3, 5})
    void everyCommandIsAnsweredThroughTheService(int peers) throws StartupException {
        try (var cluster = TestCluster.format(root, peers)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                var opened = client.execute(SessionOpened.class, new OpenSession(SessionKind.ALLOCATOR, 1, "a", "a:1"));
                long session = opened.session();
                assertEquals(new LeaseTerms(60_000_000_000L, 100), opened.lease());
                var renewed = client.execute(Renewed.class, new Renew(session));
                assertTrue(renewed.watchVersion() > session, "its first renewal shows");
                assertEquals(renewed, client.execute(new Renew(session)));

                long version = client.publish(1, 0, 1, session);
                assertEquals(
                        new Claimed(
                                List.of(
                                        new ClaimedSegment(FIRST, 1, 0, false, 100, false),
                                        new ClaimedSegment(new SegmentId(1, 1), 1, 0, false, 100, false)),
                                version,
                                false,
                                version,
                                List.of(TestCluster.MESSAGES, TestCluster.MOMENTS)),
                        client.execute(new Claim(session, 0)));
                assertEquals(new RaisedItem(FIRST, 1, true, 250), client.raise(session, FIRST, 1, 250));
                assertEquals(new RaisedItem(FIRST, 1, true, 250), client.raise(session, FIRST, 1, 180));
                assertEquals(new RaisedItem(FIRST, 2, false, 250), client.raise(session, FIRST, 2, 900));

                long other = client.open("b");
                var stolen = new PublishRoutes(version, List.of(new Move(1, 0, 0, other)));
                assertEquals(
                        version, client.execute(RoutesRefused.class, stolen).version());
                var twice = new RaiseItem(FIRST, 1, 300);
                client.execute(Rejected.class, new Raise(session, List.of(twice, twice)));

                var settings = Namespace.ofDefaults(1, "others").settings();
                assertEquals(
                        new NamespaceCreated(settings.withId(3), true), client.execute(new CreateNamespace(settings)));
                var change = NamespaceChange.NONE.withStep(7);
                assertEquals(
                        new NamespaceAltered(change.of(settings).withId(3)),
                        client.execute(new AlterNamespace("others", change)));
                client.execute(NamespaceRefused.class, new AlterNamespace("none", change));
                assertEquals(
                        new ClusterAltered(opened.lease(), NamespaceDefaults.INITIAL),
                        client.execute(new AlterCluster(ClusterChange.to(opened.lease()))));
                assertEquals(
                        7,
                        client.awaitView(view -> view.namespaces().size() == 3)
                                .namespaces()
                                .get(2)
                                .step());

                assertEquals(new SessionEnded(session), client.execute(new CloseSession(session)));
                assertEquals(new SessionGone(session), client.execute(new Renew(session)));
                client.publish(1, 0, 0, other);
                assertEquals(List.of(new ClaimedSegment(FIRST, 2, 250, false, 350, false)), client.claim(other));
            }
        }
    }
}
