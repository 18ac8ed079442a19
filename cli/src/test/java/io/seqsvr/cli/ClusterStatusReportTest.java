package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StoreSurvey.Finding;
import io.vertx.core.json.JsonArray;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When a whole cluster is said to be well, and what is said otherwise. */
final class ClusterStatusReportTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    /** Of two segments. */
    private static final Namespace NAMESPACE = new Namespace(
            1,
            "default",
            200,
            100,
            10_000,
            10_000,
            Namespace.ofDefaults(1, "default").maxSequence());

    private static final Member ALLOCATOR = member(11, SessionKind.ALLOCATOR, "a1", false, false);
    private static final Member ROUTER = member(12, SessionKind.ROUTER, "r1", false, false);
    private static final RouteRange BOTH = new RouteRange(1, 0, 1, 11, 3);

    private final Map<String, NodeHealth.Said> health =
            new HashMap<>(Map.of("a1", NodeHealth.Said.SERVING, "r1", NodeHealth.Said.SERVING));

    private static Member member(long session, SessionKind kind, String name, boolean expelled, boolean leaving) {
        return new Member(session, kind, name, name + ":1", 5, expelled, leaving, true);
    }

    private static StatusReport peers(boolean ready) {
        var status = new PeerStatus(
                "n1",
                "cluster-1",
                OptionalInt.of(0),
                true,
                ready,
                3,
                OptionalLong.of(9),
                0,
                Optional.empty(),
                List.of(new PeerStatus.Member("n1", new HostPort("n1", 1))),
                Optional.of(LEASE),
                Optional.of(new NamespaceDefaults(100_000, 10_000)),
                1,
                1,
                1,
                2,
                new PeerStatus.Waiting(0, 0, 0, 0),
                9,
                List.of());
        return new StatusReport(
                List.of(new Finding(Optional.of("n1"), new HostPort("n1", 1), Optional.of(status), "")));
    }

    private ClusterStatusReport report(boolean ready, List<Member> members, RouteRange... ranges) {
        return report(ready, members, RouteTable.EMPTY, ranges);
    }

    private ClusterStatusReport report(boolean ready, List<Member> members, RouteTable released, RouteRange... ranges) {
        var view =
                new StoreView(9, LEASE, List.of(NAMESPACE), members, 9, new RouteTable(9, List.of(ranges)), released);
        return ClusterStatusReport.of(peers(ready), view, addresses -> {
            var said = new HashMap<HostPort, NodeHealth.Said>();
            addresses.forEach(
                    address -> said.put(address, health.getOrDefault(address.host(), NodeHealth.Said.SILENT)));
            return said;
        });
    }

    private static void assertUnhealthy(String problem, ClusterStatusReport report) {
        assertEquals(ExitCode.UNHEALTHY, report.exitCode(), report::text);
        assertEquals(new JsonArray().add(problem), report.json().getJsonArray("problems"));
        assertFalse(report.json().getBoolean("healthy"));
        assertTrue(report.text().contains("UNHEALTHY: " + problem), report::text);
    }

    @Test
    void aClusterThatServesIsWell() {
        var report = report(true, List.of(ALLOCATOR, ROUTER), BOTH);
        assertEquals(ExitCode.OK, report.exitCode(), report::text);
        assertTrue(report.json().getBoolean("healthy"));
        assertTrue(report.text().contains("a1    allocator  a1:1     open   serving         2"), report::text);
        assertTrue(report.text().contains("r1    router     r1:1     open   serving         0"), report::text);
    }

    @Test
    void aProcessThatDoesNotAnswerIsNamed() {
        health.remove("a1");
        assertUnhealthy(
                "a1 (allocator a1:1) has a session, but does not answer",
                report(true, List.of(ALLOCATOR, ROUTER), BOTH));
    }

    @Test
    void oneThatCannotServeIsNamedUnlessItIsLeaving() {
        health.put("a2", NodeHealth.Said.NOT_SERVING);
        assertUnhealthy(
                "a2 (allocator a2:1) says that it cannot serve now",
                report(true, List.of(ALLOCATOR, ROUTER, member(13, SessionKind.ALLOCATOR, "a2", false, false)), BOTH));
        var drained =
                report(true, List.of(ALLOCATOR, ROUTER, member(13, SessionKind.ALLOCATOR, "a2", false, true)), BOTH);
        assertEquals(ExitCode.OK, drained.exitCode(), drained::text);
    }

    @Test
    void anExpelledSessionIsNamed() {
        health.put("a2", NodeHealth.Said.SERVING);
        assertUnhealthy(
                "a2 (allocator a2:1) is expelled; its session ends with its timer",
                report(true, List.of(ALLOCATOR, ROUTER, member(13, SessionKind.ALLOCATOR, "a2", true, false)), BOTH));
    }

    /** After a restore one session stands for the leases of the former life, and it is nowhere. */
    @Test
    void whoSaysNoAddressIsSilent() {
        var former = new Member(13, SessionKind.ALLOCATOR, "former-life", "former-life", 5, true, false, true);
        var report = report(true, List.of(ALLOCATOR, ROUTER, former), BOTH);
        assertUnhealthy("former-life (allocator former-life) is expelled; its session ends with its timer", report);
        assertTrue(
                report.text().matches("(?s).*former-life +allocator +former-life +expelled +silent +0.*"),
                report::text);
    }

    @Test
    void segmentsOfASessionThatHasEndedAreWithoutAnOwner() {
        assertUnhealthy(
                "1 of 2 segments of namespace 'default' have no owner with a session",
                report(
                        true,
                        List.of(ALLOCATOR, ROUTER),
                        new RouteRange(1, 0, 0, 11, 3),
                        new RouteRange(1, 1, 1, 7, 2)));
    }

    @Test
    void whatALeavingAllocatorGaveBackIsWithoutAnOwnerThoughItsSessionIsOpen() {
        health.put("a1", NodeHealth.Said.NOT_SERVING);
        var last = member(11, SessionKind.ALLOCATOR, "a1", false, true);
        var report = report(true, List.of(last, ROUTER), new RouteTable(9, List.of(BOTH)), BOTH);
        assertUnhealthy("2 of 2 segments of namespace 'default' have no owner with a session", report);
        assertTrue(report.text().contains("a1    allocator  a1:1     leaving  not serving         0"), report::text);
        assertEquals(0, report.json().getJsonArray("nodes").getJsonObject(0).getInteger("segments"), report::text);
    }

    @Test
    void aTierWithoutAnybodyIsNamed() {
        assertUnhealthy("no router has a session", report(true, List.of(ALLOCATOR), BOTH));
    }

    @Test
    void whatIsWrongWithThePeersIsWrongWithTheCluster() {
        assertUnhealthy("n1 leads, but takes no commands yet", report(false, List.of(ALLOCATOR, ROUTER), BOTH));
    }

    @Test
    void whereNoPeerAnswersNothingElseIsAsked() {
        var silent = new StatusReport(
                List.of(new Finding(Optional.empty(), new HostPort("n1", 1), Optional.empty(), "no answer")));
        assertEquals(
                ExitCode.UNAVAILABLE, ClusterStatusReport.ofPeersAlone(silent).exitCode());
    }
}
