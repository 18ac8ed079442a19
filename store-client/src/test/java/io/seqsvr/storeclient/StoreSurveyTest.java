package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whom a survey asks, and what it makes of those that do not answer. */
class StoreSurveyTest {
    private static final HostPort ONE = new HostPort("one", 1);
    private static final HostPort TWO = new HostPort("two", 2);
    private static final HostPort THREE = new HostPort("three", 3);
    private static final List<PeerStatus.Member> GROUP = List.of(
            new PeerStatus.Member("n1", ONE), new PeerStatus.Member("n2", TWO), new PeerStatus.Member("n3", THREE));

    private final Map<String, PeerStatus> alive = new TreeMap<>();
    private final List<HostPort> asked = new ArrayList<>();

    private void lives(HostPort address, String id, List<PeerStatus.Member> members) {
        lives(address, id, members, 0, false, 1);
    }

    private void lives(
            HostPort address, String id, List<PeerStatus.Member> members, int incarnation, boolean ready, long term) {
        alive.put(
                address.toString(),
                new PeerStatus(
                        id,
                        "cluster",
                        OptionalInt.of(incarnation),
                        ready,
                        ready,
                        term,
                        OptionalLong.of(7),
                        0,
                        Optional.empty(),
                        members,
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        0,
                        1,
                        0,
                        new PeerStatus.Waiting(0, 0, 0, 0),
                        0,
                        List.of()));
    }

    private Future<PeerStatus> ask(HostPort address) {
        asked.add(address);
        var status = alive.get(address.toString());
        return status == null ? Future.failedFuture("nobody at " + address) : Future.succeededFuture(status);
    }

    private List<StoreSurvey.Finding> survey(HostPort... addresses) {
        return new StoreSurvey(this::ask).of(List.of(addresses)).result();
    }

    private static List<String> ids(List<StoreSurvey.Finding> findings) {
        return findings.stream().map(finding -> finding.id().orElse("?")).toList();
    }

    @Test
    void oneAddressSufficesForAllThatItsPeerNames() {
        lives(ONE, "n1", GROUP);
        lives(TWO, "n2", GROUP);
        lives(THREE, "n3", GROUP);
        var findings = survey(TWO);
        assertEquals(List.of("n1", "n2", "n3"), ids(findings));
        assertTrue(findings.stream().allMatch(finding -> finding.status().isPresent()));
        assertEquals(List.of(TWO, ONE, THREE), asked);
    }

    @Test
    void whereNobodyAnswersEverybodyIsAskedOnceMore() {
        lives(TWO, "n2", GROUP);
        var silent = new ArrayList<>(List.of(TWO));
        var findings = StoreSurvey.insistently(
                        address -> silent.remove(address)
                                ? Future.failedFuture(ask(address) + " came too late")
                                : ask(address),
                        List.of(TWO))
                .result();
        assertEquals(List.of("n1", "n2", "n3"), ids(findings));
        assertEquals(List.of(TWO, TWO, ONE, THREE), asked);
    }

    @Test
    void whereSomebodyAnswersNobodyIsAskedOnceMore() {
        lives(TWO, "n2", GROUP);
        var findings = StoreSurvey.insistently(this::ask, List.of(ONE, TWO)).result();
        assertEquals(List.of("n1", "n2", "n3"), ids(findings));
        assertEquals(List.of(ONE, TWO, THREE), asked);
        alive.clear();
        asked.clear();
        StoreSurvey.insistently(this::ask, List.of(ONE)).result();
        assertEquals(List.of(ONE, ONE), asked, "twice, and no more");
    }

    @Test
    void aPeerThatDoesNotAnswerIsNamedByTheOthers() {
        lives(ONE, "n1", GROUP);
        lives(TWO, "n2", GROUP);
        var silent = survey(ONE, THREE).get(2);
        assertEquals(new StoreSurvey.Finding(Optional.of("n3"), THREE, Optional.empty(), "nobody at three:3"), silent);
        assertEquals(List.of(ONE, THREE, TWO), asked, "nobody is asked twice");
    }

    @Test
    void whenNobodyAnswersOnlyTheAddressesAreKnown() {
        var findings = survey(TWO, ONE);
        assertEquals(List.of("?", "?"), ids(findings));
        assertEquals(
                List.of(ONE, TWO),
                findings.stream().map(StoreSurvey.Finding::address).toList());
    }

    @Test
    void aPeerThatAnswersUnderAnotherNameIsNotAskedAgain() {
        var alias = new HostPort("localhost", 1);
        lives(ONE, "n1", GROUP.subList(0, 1));
        lives(alias, "n1", GROUP.subList(0, 1));
        assertEquals(List.of("n1"), ids(survey(alias)));
        assertEquals(List.of(alias), asked);
        assertEquals(List.of("n1"), ids(survey(alias, ONE)));
    }

    @Test
    void peersThatNameEverNewOnesAreNotFollowedForEver() {
        var endless = new StoreSurvey(address -> {
            int next = address.port() + 1;
            lives(address, "n" + address.port(), List.of(new PeerStatus.Member("n" + next, new HostPort("a", next))));
            return ask(address);
        });
        assertEquals(StoreSurvey.MOST_ASKED, endless.of(List.of(ONE)).result().size());
    }

    private static Optional<String> best(List<StoreSurvey.Finding> findings) {
        return StoreSurvey.best(findings).flatMap(StoreSurvey.Finding::id);
    }

    /** Terms count anew in each life, so a majority of the former one, once it is back, has the greater one. */
    @Test
    void theNewestLifeIsBelievedWhateverTheTermOfAnOlderOne() {
        lives(ONE, "n1", List.of(), 1, true, 2);
        lives(TWO, "n2", GROUP, 0, true, 17);
        var findings = survey(TWO);
        assertEquals(List.of("n1", "n2", "n3"), ids(findings));
        assertEquals(Optional.of("n1"), best(findings));
        assertEquals(
                Optional.of("peers of two lives of the cluster answer, and the older one takes commands: n2 is of"
                        + " incarnation 0, n1 of incarnation 1; stop every peer of the older one, for good"),
                StoreSurvey.livesApart(findings));
    }

    @Test
    void anOlderLifeIsNotBelievedWhileTheNewerOneElects() {
        lives(ONE, "n1", List.of(), 1, false, 2);
        lives(TWO, "n2", GROUP, 0, true, 17);
        assertTrue(StoreSurvey.livesApart(survey(TWO)).isPresent());
    }

    @Test
    void aForgottenPeerOfAnOlderLifeThatTakesNoCommandsIsInNobodysWay() {
        lives(ONE, "n1", List.of(), 1, true, 2);
        lives(TWO, "n2", GROUP, 0, false, 17);
        var findings = survey(TWO);
        assertEquals(Optional.empty(), StoreSurvey.livesApart(findings));
        assertEquals(Optional.of("n1"), best(findings));
    }

    @Test
    void twoLivesOfOneIdAreTwoPeers() {
        lives(ONE, "n1", List.of(), 1, true, 2);
        lives(TWO, "n1", List.of(), 0, true, 17);
        var findings = survey(TWO, ONE);
        assertEquals(List.of("n1", "n1"), ids(findings));
        assertTrue(StoreSurvey.livesApart(findings).isPresent());
    }

    @Test
    void ofOneLifeTheNewestTermIsBelieved() {
        lives(ONE, "n1", GROUP, 1, true, 3);
        lives(TWO, "n2", GROUP, 1, true, 2);
        var findings = survey(TWO);
        assertEquals(Optional.of("n1"), best(findings));
        assertEquals(Optional.empty(), StoreSurvey.livesApart(findings));
    }
}
