package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StoreSurvey.Finding;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an operator reads of the peers, and when all is said to be well. */
final class StatusReportTest {
    private static final String JOINING = "n9";
    private static final Finding LEADER = peer("n1", "cluster-1", true, true, 3, 120);
    private static final Finding FOLLOWER = peer("n2", "cluster-1", false, false, 3, 115);
    private static final Finding SILENT =
            new Finding(Optional.of("n3"), new HostPort("host-n3", 7711), Optional.empty(), "no answer from host-n3");

    private static Finding peer(String id, String cluster, boolean leads, boolean ready, long term, long applied) {
        return peer(id, cluster, leads, ready, term, applied, List.of());
    }

    private static Finding peer(
            String id,
            String cluster,
            boolean leads,
            boolean ready,
            long term,
            long applied,
            List<PeerStatus.DigestAt> digests) {
        var status = new PeerStatus(
                id,
                cluster,
                OptionalInt.of(0),
                leads,
                ready,
                term,
                OptionalLong.of(applied),
                leads ? 0 : 3,
                Optional.empty(),
                id.equals(JOINING) ? List.of() : List.of(new PeerStatus.Member(id, new HostPort("host-" + id, 7711))),
                Optional.of(new LeaseTerms(3_000_000_000L, 100)),
                Optional.of(new NamespaceDefaults(100_000, 10_000)),
                2,
                1,
                4,
                10,
                new PeerStatus.Waiting(1, 2, 3, 4),
                99,
                digests);
        return new Finding(Optional.of(id), new HostPort("host-" + id, 7711), Optional.of(status), "");
    }

    private static void assertUnhealthy(String problem, Finding... findings) {
        var report = new StatusReport(List.of(findings));
        assertEquals(ExitCode.UNHEALTHY, report.exitCode(), report::text);
        assertEquals(new JsonArray().add(problem), report.json().getJsonArray("problems"));
        assertTrue(report.text().endsWith("UNHEALTHY: " + problem), report::text);
    }

    @Test
    void everyPeerIsALineAndTheClusterStandsBelow() {
        var follower = peer("n2", "cluster-1", false, false, 3, 115, List.of(at(115, "bb"), at(90, "aa")));
        var report = new StatusReport(List.of(LEADER, follower));
        assertEquals(ExitCode.OK, report.exitCode());
        assertEquals("""
                PEER  ADDRESS       ROLE      TERM  APPLIED  UNAPPLIED  LAG  WAITING                DIGEST
                n1    host-n1:7711  leader       3      120          0    0       10                     -
                n2    host-n2:7711  follower     3      115          3    5       10  00112233445566bb@115

                cluster      cluster-1
                incarnation  0
                ttl          3s
                drift        0.1
                segment_size 100000
                step         10000
                namespaces   4
                segments     10
                sessions     allocators 2, routers 1""", report.text().lines().collect(Collectors.joining("\n")));
    }

    @Test
    void aPeerThatIsNoMemberYetIsToldFromAFollower() {
        var report = new StatusReport(List.of(LEADER, peer(JOINING, "cluster-1", false, false, 3, 7)));
        assertEquals(
                "joining", report.json().getJsonArray("peers").getJsonObject(1).getString("role"));
    }

    @Test
    void aPeerThatIsFarBehindIsTold() {
        var ahead = peer("n1", "cluster-1", true, true, 3, 5_120);
        assertUnhealthy(
                "n2 is 1001 entries behind, and of no help to a majority until it has caught up",
                ahead,
                peer("n2", "cluster-1", false, false, 3, 4_119));
        assertEquals(
                ExitCode.OK,
                new StatusReport(List.of(ahead, peer("n2", "cluster-1", false, false, 3, 4_120))).exitCode());
    }

    @Test
    void scriptsGetTheSame() {
        var json = new StatusReport(List.of(LEADER, FOLLOWER, SILENT)).json();
        assertFalse(json.getBoolean("healthy"));
        var follower = json.getJsonArray("peers").getJsonObject(1);
        assertEquals("5", follower.getString("lag"));
        assertEquals("115", follower.getString("applied"));
        assertEquals("3", follower.getString("unapplied"));
        assertEquals(4, follower.getJsonObject("waiting_by_queue").getInteger("expiry"));
        var silent = json.getJsonArray("peers").getJsonObject(2);
        assertEquals("unreachable", silent.getString("role"));
        assertEquals("no answer from host-n3", silent.getString("failure"));
        assertEquals("3000000000", json.getJsonObject("cluster").getString("ttl_nanos"));
    }

    @Test
    void aPeerThatDoesNotAnswerIsAProblemThoughTheOthersGoOn() {
        assertUnhealthy("n3: no answer from host-n3", LEADER, FOLLOWER, SILENT);
    }

    @Test
    void whereNobodyLeadsNothingIsWell() {
        assertUnhealthy("no peer that answered leads", FOLLOWER);
        assertUnhealthy("n1 leads, but takes no commands yet", peer("n1", "cluster-1", true, false, 4, 120), FOLLOWER);
    }

    @Test
    void twoLeadersAreTold() {
        assertUnhealthy(
                "several peers say that they lead: n1 in term 3, n2 in term 4",
                LEADER,
                peer("n2", "cluster-1", true, true, 4, 121));
    }

    @Test
    void peersOfDifferentClustersAreTold() {
        assertUnhealthy(
                "the peers are of different clusters: cluster-1, cluster-2",
                LEADER,
                peer("n2", "cluster-2", false, false, 3, 7));
    }

    private static PeerStatus.DigestAt at(long index, String end) {
        return new PeerStatus.DigestAt(index, "00112233445566" + end);
    }

    @Test
    void peersWhoseStatesDifferAtOneIndexAreTold() {
        var leader = peer("n1", "cluster-1", true, true, 3, 120, List.of(at(120, "aa"), at(90, "bb")));
        var behind = peer("n2", "cluster-1", false, false, 3, 115, List.of(at(115, "cc"), at(90, "bb")));
        assertEquals(ExitCode.OK, new StatusReport(List.of(leader, behind)).exitCode());
        var wrong = peer("n3", "cluster-1", false, false, 3, 117, List.of(at(117, "cc"), at(90, "dd")));
        var report = new StatusReport(List.of(leader, behind, wrong));
        assertEquals(ExitCode.UNHEALTHY, report.exitCode());
        assertEquals(
                List.of("peers n1 and n3 differ at index 90", "peers n2 and n3 differ at index 90"),
                report.json().getJsonArray("problems").getList());
        assertEquals(
                new JsonArray()
                        .add(new JsonObject().put("index", "117").put("digest", "00112233445566cc"))
                        .add(new JsonObject().put("index", "90").put("digest", "00112233445566dd")),
                report.json().getJsonArray("peers").getJsonObject(2).getJsonArray("digests"));
    }

    @Test
    void whenNobodyAnsweredItIsUnavailable() {
        var report = new StatusReport(List.of(SILENT));
        assertEquals(ExitCode.UNAVAILABLE, report.exitCode());
        assertFalse(report.json().getBoolean("healthy"));
        assertFalse(report.json().containsKey("cluster"));
    }
}
