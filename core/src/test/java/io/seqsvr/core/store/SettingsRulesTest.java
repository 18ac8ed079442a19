package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.AlterNamespace;
import io.seqsvr.core.store.StoreCommand.CreateCluster;
import io.seqsvr.core.store.StoreCommand.CreateNamespace;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Namespaces that are made and altered, and terms of leases to come. */
class SettingsRulesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 20, 20_000);
    private static final NamespaceSettings MOMENTS =
            new NamespaceSettings("moments", 50, 5, Keying.HASHED, Order.QUORUM, 7, 8, 9, 10_000);

    private final FakeStore store = new FakeStore(LEASE, MESSAGES);

    private Namespace created(NamespaceSettings settings) {
        return assertInstanceOf(StoreReply.NamespaceCreated.class, store.execute(new CreateNamespace(settings)))
                .namespace();
    }

    private Namespace altered(NamespaceChange change) {
        return assertInstanceOf(
                        StoreReply.NamespaceAltered.class, store.execute(new AlterNamespace("messages", change)))
                .namespace();
    }

    private void assertRefused(String words, StoreCommand command) {
        var before = Rows.of(store.state());
        var reason = assertInstanceOf(StoreReply.NamespaceRefused.class, store.execute(command))
                .reason();
        assertTrue(reason.contains(words), reason);
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void aNewNamespaceGetsTheNextIdAndEverybodySeesIt() {
        long session = store.open("alice");
        assertEquals(MOMENTS.withId(2), created(MOMENTS));
        assertEquals(store.lastStamp(), store.view().version());
        assertEquals(Optional.of(MOMENTS.withId(2)), store.view().namespace("moments"));
        var claimed = assertInstanceOf(StoreReply.Claimed.class, store.execute(new StoreCommand.Claim(session, 0)));
        assertEquals(List.of(MESSAGES, MOMENTS.withId(2)), claimed.namespaces());
        assertEquals(store.view().version(), claimed.version());
        assertEquals(3, created(Namespace.ofDefaults(9, "others").settings()).id());
        store.publish(new Move(2, 0, 9, session));
        assertEquals(7, store.segment(2, 9).maxSeq());
    }

    @Test
    void aRepeatedCreationIsAnsweredLikeTheFirst() {
        var first = created(MOMENTS);
        var before = Rows.of(store.state());
        assertEquals(first, created(MOMENTS));
        assertEquals(before, Rows.of(store.state()), "nobody is woken for nothing");
    }

    @Test
    void anotherNamespaceOfTheNameIsRefusedWithWhatThereIs() {
        var other = NamespaceChange.NONE.withStep(50).of(MESSAGES.settings());
        assertRefused("namespace 'messages' exists with other settings: " + MESSAGES, new CreateNamespace(other));
    }

    @Test
    void settingsThatBreakRulesAreRefusedByEachRule() {
        var bad = new NamespaceSettings("Moments", 0, 5, Keying.DIRECT, Order.LEASE, 7, 8, -1, 10_000);
        assertRefused("name is 'Moments'; it must be", new CreateNamespace(bad));
        assertRefused("capacity is 0; it must be", new CreateNamespace(bad));
        assertRefused("max_jump is -1; it must be", new CreateNamespace(bad));
    }

    @Test
    void thereIsABoundToTheNumberOfNamespaces() {
        for (int i = 1; i < StoreCommand.MAX_NAMESPACES; i++) {
            created(ofSegments("n" + i, 1));
        }
        assertRefused("a cluster has at most 1000", new CreateNamespace(MOMENTS));
        assertEquals("n7", created(ofSegments("n7", 1)).name(), "a repeat is none more");
    }

    /** Each segment may come to have an owner of its own, and a picture of them all has to fit into a message. */
    @Test
    void thereIsABoundToTheSegmentsOfAllNamespacesTogether() {
        int rest = Namespace.MAX_SEGMENTS - MESSAGES.segmentCount();
        created(ofSegments("most", rest - 2));
        assertRefused(
                "capacity 3 of namespace 'moments' is 3 segments of 1; the other namespaces have "
                        + (Namespace.MAX_SEGMENTS - 2) + ", and a cluster has at most 250000: take a greater",
                new CreateNamespace(ofSegments("moments", 3)));
        created(ofSegments("moments", 2));
        assertEquals("most", created(ofSegments("most", rest - 2)).name(), "a repeat is none more");
    }

    private static NamespaceSettings ofSegments(String name, int segments) {
        return new NamespaceSettings(name, segments, 1, Keying.DIRECT, Order.LEASE, 10, 10, 10, 10_000);
    }

    @Test
    void whatMayBeAlteredIsAlteredAtOnceAndForEverybody() {
        var change = new NamespaceChange(
                OptionalLong.of(100),
                OptionalInt.of(10),
                Optional.of(Keying.DIRECT),
                Optional.of(Order.QUORUM),
                OptionalLong.of(60),
                OptionalInt.of(70),
                OptionalLong.of(80),
                OptionalLong.of(90_000));
        var after = new Namespace(1, "messages", 100, 10, Keying.DIRECT, Order.QUORUM, 60, 70, 80, 90_000);
        assertEquals(after, altered(change));
        assertEquals(List.of(after), store.view().namespaces());
        assertEquals(store.lastStamp(), store.view().version());
        long version = store.view().version();
        assertEquals(after, altered(change));
        assertEquals(version, store.view().version(), "a repeat changes nothing");
        assertEquals(after.withOrder(Order.LEASE), altered(NamespaceChange.NONE.withOrder(Order.LEASE)));
    }

    @Test
    void whatIsImmutableIsRefusedByItsName() {
        var none = NamespaceChange.NONE;
        var capacity = new NamespaceChange(
                OptionalLong.of(200),
                none.segmentSize(),
                none.keying(),
                none.order(),
                none.step(),
                none.maxCount(),
                none.maxJump(),
                none.maxSequence());
        assertRefused("capacity is 100 for ever and cannot become 200", new AlterNamespace("messages", capacity));
        var size = new NamespaceChange(
                none.capacity(),
                OptionalInt.of(20),
                none.keying(),
                none.order(),
                none.step(),
                none.maxCount(),
                none.maxJump(),
                none.maxSequence());
        assertRefused("segment_size is 10 for ever and cannot become 20", new AlterNamespace("messages", size));
        var keying = new NamespaceChange(
                none.capacity(),
                none.segmentSize(),
                Optional.of(Keying.HASHED),
                none.order(),
                none.step(),
                none.maxCount(),
                none.maxJump(),
                none.maxSequence());
        assertRefused("keying is DIRECT for ever and cannot become HASHED", new AlterNamespace("messages", keying));
    }

    @Test
    void theGreatestSequenceOnlyGrows() {
        var less = NamespaceChange.NONE.withMaxSequence(19_999);
        assertRefused("it may only grow", new AlterNamespace("messages", less));
        assertEquals(
                20_001, altered(NamespaceChange.NONE.withMaxSequence(20_001)).maxSequence());
    }

    @Test
    void aChangeThatBreaksARuleOrIsOfNoNamespaceIsRefused() {
        assertRefused(
                "step is 20001; it must be", new AlterNamespace("messages", NamespaceChange.NONE.withStep(20_001)));
        assertRefused("there is no namespace 'mesages'", new AlterNamespace("mesages", NamespaceChange.NONE));
    }

    @Test
    void termsOfLeasesAreForSessionsThatAreOpenedFromThenOn() {
        long before = store.open("alice");
        var longer = new LeaseTerms(9_000_000_000L, 200);
        assertEquals(
                new StoreReply.ClusterAltered(longer, NamespaceDefaults.INITIAL),
                store.execute(new AlterCluster(ClusterChange.to(longer))));
        assertEquals(store.lastStamp(), store.view().version());
        assertEquals(longer, store.view().lease());
        assertEquals(LEASE, store.session(before).terms());
        store.execute(new Renew(before));
        assertEquals(LEASE, store.session(before).terms(), "a renewal brings no other terms");
        assertEquals(longer, store.session(store.open("bob")).terms());
        long version = store.view().version();
        store.execute(new AlterCluster(ClusterChange.to(longer)));
        assertEquals(version, store.view().version());
    }

    private static ClusterChange defaults(int segmentSize, long step) {
        return new ClusterChange(
                OptionalLong.empty(), OptionalInt.empty(), OptionalInt.of(segmentSize), OptionalLong.of(step));
    }

    private static NamespaceSettings named(String name, int segmentSize, long step) {
        return new NamespaceSettings(name, 100, segmentSize, Keying.DIRECT, Order.LEASE, step, 8, 9, 10_000);
    }

    @Test
    void whatANewNamespaceDoesNotNameIsTheClustersDefault() {
        store.execute(new AlterCluster(defaults(25, 40)));
        assertEquals(named("a", 25, 40).withId(2), created(named("a", 0, 0)));
        assertEquals(named("b", 50, 40).withId(3), created(named("b", 50, 0)));
        assertEquals(named("c", 25, 50).withId(4), created(named("c", 0, 50)));
        assertRefused(
                "step is 40; it must be from 1 to 30",
                new CreateNamespace(NamespaceChange.NONE.withMaxSequence(30).of(named("d", 0, 0))));
    }

    @Test
    void otherDefaultsLeaveWhatIsThereAsItWasAndARepeatIsStillOne() {
        var first = created(named("a", 0, 0));
        assertEquals(new StoreReply.ClusterAltered(LEASE, new NamespaceDefaults(25, 40)), alteredTo(25, 40));
        assertEquals(Optional.of(first), store.view().namespace("a"));
        var before = Rows.of(store.state());
        assertEquals(
                new StoreReply.NamespaceCreated(first, false), store.execute(new CreateNamespace(named("a", 0, 0))));
        assertEquals(before, Rows.of(store.state()));
        assertRefused("exists with other settings", new CreateNamespace(named("a", 0, 40)));
    }

    private StoreReply alteredTo(int segmentSize, long step) {
        return store.execute(new AlterCluster(defaults(segmentSize, step)));
    }

    @Test
    void settingsOfTheClusterThatBreakRulesAreRefusedAllOfThem() {
        var before = Rows.of(store.state());
        var change = new ClusterChange(
                OptionalLong.of(400_000_000), OptionalInt.of(1_001), OptionalInt.of(0), OptionalLong.of(-1));
        assertEquals(
                new StoreReply.ClusterRefused(
                        "ttl is 400 ms; it must be from 500 ms to 60 s, drift is 1.001; it must be"
                                + " from 0.001 to 1, segment_size is 0; it must be from 1 to 10000000, step is -1;"
                                + " it must be from 1 to 9223372036854775807"),
                store.execute(new AlterCluster(change)));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void aRestoredClusterKeepsItsDefaults() {
        alteredTo(25, 40);
        store.restore(store.state().copy(), 1, 100);
        assertEquals(
                new NamespaceDefaults(25, 40),
                store.state().cluster().orElseThrow().defaults());
    }

    private static void assertNotCreated(String words, List<Namespace> namespaces) {
        var decision = new StoreRules()
                .decide(new StoreState(), Stamp.of(0, 1, 0), new CreateCluster("cluster", LEASE, namespaces));
        var reason =
                assertInstanceOf(StoreReply.Rejected.class, decision.reply()).reason();
        assertTrue(reason.contains(words), reason);
        assertEquals(List.of(), decision.changes());
    }

    @Test
    void aClusterIsNotCreatedWithTwoNamespacesOfOneIdOrOneName() {
        assertNotCreated("gives the id 1 to two", List.of(MESSAGES, Namespace.ofDefaults(1, "moments")));
        assertNotCreated("gives the name 'messages' to two", List.of(MESSAGES, Namespace.ofDefaults(2, "messages")));
        assertNotCreated("it must be from 1 to 2097152", List.of(Namespace.ofDefaults(1 << 21 | 1, "messages")));
        var many = IntStream.rangeClosed(1, 1_001)
                .mapToObj(id -> Namespace.ofDefaults(id, "n" + id))
                .toList();
        assertNotCreated("names 1001 namespaces", many);
        var most = ofSegments("most", Namespace.MAX_SEGMENTS).withId(2);
        assertNotCreated("the other namespaces have 250000, and a cluster has at most", List.of(most, MESSAGES));
    }

    @Test
    void afterARestoreANamespaceWhoseSequencesMayHavePassedItsEndDoesNotGrow() {
        var backup = store.state().copy();
        altered(NamespaceChange.NONE.withMaxSequence(50_000));
        store.execute(new RaiseFloor(new SegmentId(1, 3), 30_000));
        store.restore(backup, 1, 30_100);
        // The backup says 20,000: from there to 30,000 nobody knows what was handed out.
        assertEquals(20_000, store.state().maxSeq(new SegmentId(1, 3)));
        assertRefused("cannot grow", new AlterNamespace("messages", NamespaceChange.NONE.withMaxSequence(50_000)));
    }

    @Test
    void afterARestoreThatReachesNoEndItGrowsAsBefore() {
        store.execute(new RaiseFloor(new SegmentId(1, 3), 19_000));
        var backup = store.state().copy();
        store.restore(backup, 1, 999);
        assertEquals(
                50_000, altered(NamespaceChange.NONE.withMaxSequence(50_000)).maxSequence());
        store.restore(backup, 2, 1_000);
        assertEquals(20_000, store.segment(1, 3).maxSeq());
        assertRefused("cannot grow", new AlterNamespace("messages", NamespaceChange.NONE.withMaxSequence(50_000)));
    }
}
