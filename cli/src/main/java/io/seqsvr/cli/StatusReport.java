package io.seqsvr.cli;

import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StoreSurvey;
import io.seqsvr.storeclient.StoreSurvey.Finding;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What StoreSvr's peers said of themselves and how well that is, for people and for scripts. */
final class StatusReport {
    private static final List<String> COLUMNS =
            List.of("PEER", "ADDRESS", "ROLE", "TERM", "APPLIED", "UNAPPLIED", "LAG", "WAITING", "DIGEST");
    /** Numbers stand to the right, from here on. */
    private static final int FIRST_NUMBER = 3;

    private static final String UNKNOWN = "-";

    /** More entries than are on their way to a peer that keeps up. */
    private static final long MOST_BEHIND = 1_000;

    private final List<Finding> findings;
    private final long mostApplied;

    /** A report about at least one peer, in this order. */
    StatusReport(List<Finding> findings) {
        this.findings = findings;
        this.mostApplied = answers().mapToLong(StatusReport::applied).max().orElse(-1);
    }

    private Stream<PeerStatus> answers() {
        return findings.stream().flatMap(finding -> finding.status().stream());
    }

    private static long applied(PeerStatus status) {
        return status.appliedIndex().orElse(-1);
    }

    int exitCode() {
        if (answers().findAny().isEmpty()) {
            return ExitCode.UNAVAILABLE;
        }
        return problems().isEmpty() ? ExitCode.OK : ExitCode.UNHEALTHY;
    }

    private List<String> problems() {
        var problems = new ArrayList<String>();
        var clusters = answers().map(PeerStatus::clusterId).collect(Collectors.toCollection(TreeSet::new));
        if (clusters.size() > 1) {
            problems.add("the peers are of different clusters: " + String.join(", ", clusters));
        }
        StoreSurvey.livesApart(findings).ifPresent(problems::add);
        var leaders = answers().filter(PeerStatus::ready).toList();
        if (leaders.size() > 1) {
            problems.add("several peers say that they lead: "
                    + leaders.stream()
                            .map(leader -> leader.id() + " in term " + leader.term())
                            .collect(Collectors.joining(", ")));
        } else if (leaders.isEmpty() && answers().findAny().isPresent()) {
            problems.add(answers()
                    .filter(PeerStatus::leads)
                    .findFirst()
                    .map(leader -> leader.id() + " leads, but takes no commands yet")
                    .orElse("no peer that answered leads"));
        }
        findings.stream()
                .filter(finding -> finding.status().isEmpty())
                .forEach(silent -> problems.add(silent.id().map(id -> id + ": ").orElse("") + silent.failure()));
        answers()
                .filter(status -> lag(status).orElse(0) > MOST_BEHIND)
                .forEach(status ->
                        problems.add(status.id() + " is " + lag(status).orElse(0)
                                + " entries behind, and of no help to a majority until it has caught up"));
        problems.addAll(differences());
        return problems;
    }

    /** Peers that say of the same place of the log that it left them with different rows. */
    private List<String> differences() {
        var peers = answers().toList();
        var differences = new ArrayList<String>();
        for (int i = 0; i < peers.size(); i++) {
            for (var other : peers.subList(i + 1, peers.size())) {
                difference(peers.get(i), other).ifPresent(differences::add);
            }
        }
        return differences;
    }

    private static Optional<String> difference(PeerStatus one, PeerStatus other) {
        if (!one.clusterId().equals(other.clusterId())) {
            return Optional.empty();
        }
        return one.digests().stream()
                .filter(digest -> other.digests().stream()
                        .anyMatch(theirs -> theirs.index() == digest.index()
                                && !theirs.digest().equals(digest.digest())))
                .findFirst()
                .map(digest -> "peers " + one.id() + " and " + other.id() + " differ at index " + digest.index());
    }

    private static String role(Finding finding) {
        return finding.status()
                .map(status -> status.leads() ? "leader" : isMember(status) ? "follower" : "joining")
                .orElse("unreachable");
    }

    private static boolean isMember(PeerStatus status) {
        return status.members().stream().anyMatch(member -> member.id().equals(status.id()));
    }

    private OptionalLong lag(PeerStatus status) {
        return mostApplied < 0 ? OptionalLong.empty() : OptionalLong.of(mostApplied - applied(status));
    }

    private Optional<PeerStatus> best() {
        return StoreSurvey.best(findings).flatMap(Finding::status);
    }

    String text() {
        var lines = new StringJoiner(System.lineSeparator());
        var rows = Stream.concat(Stream.of(COLUMNS), findings.stream().map(this::row))
                .toList();
        Columns.lines(rows, FIRST_NUMBER).forEach(lines::add);
        best().ifPresent(status -> {
            lines.add("");
            settings(status).forEach(lines::add);
        });
        var problems = problems();
        if (!problems.isEmpty()) {
            lines.add("");
            problems.forEach(problem -> lines.add("UNHEALTHY: " + problem));
        }
        return lines.toString();
    }

    private List<String> row(Finding finding) {
        var id = finding.id().orElse(UNKNOWN);
        var address = finding.address().toString();
        return finding.status()
                .map(status -> List.of(
                        id,
                        address,
                        role(finding),
                        Long.toString(status.term()),
                        orUnknown(status.appliedIndex()),
                        Long.toString(status.unapplied()),
                        orUnknown(lag(status)),
                        Integer.toString(status.waiting().all()),
                        status.digests().stream()
                                .findFirst()
                                .map(newest -> newest.digest() + "@" + newest.index())
                                .orElse(UNKNOWN)))
                .orElseGet(() ->
                        List.of(id, address, role(finding), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN));
    }

    private static String orUnknown(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : UNKNOWN;
    }

    private static List<String> settings(PeerStatus status) {
        var incarnation = status.incarnation();
        var settings = ClusterReport.of(status);
        return List.of(
                "cluster      " + status.clusterId(),
                "incarnation  " + (incarnation.isPresent() ? Integer.toString(incarnation.getAsInt()) : UNKNOWN),
                "ttl          " + settings.map(ClusterReport::ttl).orElse(UNKNOWN),
                "drift        " + settings.map(ClusterReport::drift).orElse(UNKNOWN),
                "segment_size " + settings.map(ClusterReport::segmentSize).orElse(UNKNOWN),
                "step         " + settings.map(ClusterReport::step).orElse(UNKNOWN),
                "namespaces   " + status.namespaces(),
                "segments     " + status.segments(),
                "sessions     allocators " + status.allocators() + ", routers " + status.routers());
    }

    JsonObject json() {
        var peers = new JsonArray();
        findings.forEach(finding -> peers.add(json(finding)));
        var json = new JsonObject()
                .put("healthy", exitCode() == ExitCode.OK)
                .put("problems", new JsonArray(problems()))
                .put("peers", peers);
        best().ifPresent(status -> json.put("cluster", cluster(status)));
        return json;
    }

    private JsonObject json(Finding finding) {
        var json = new JsonObject();
        finding.id().ifPresent(id -> json.put("peer", id));
        json.put("address", finding.address().toString()).put("role", role(finding));
        if (finding.status().isEmpty()) {
            return json.put("failure", finding.failure());
        }
        var status = finding.status().get();
        json.put("ready", status.ready()).put("term", Long.toString(status.term()));
        status.appliedIndex().ifPresent(index -> json.put("applied", Long.toString(index)));
        json.put("unapplied", Long.toString(status.unapplied()));
        lag(status).ifPresent(lag -> json.put("lag", Long.toString(lag)));
        status.leader().ifPresent(leader -> json.put("leader", leader.id()));
        var digests = new JsonArray();
        status.digests()
                .forEach(one -> digests.add(new JsonObject()
                        .put("index", Long.toString(one.index()))
                        .put("digest", one.digest())));
        json.put("digests", digests);
        var waiting = status.waiting();
        return json.put("watch_version", Long.toString(status.watchVersion()))
                .put("waiting", waiting.all())
                .put(
                        "waiting_by_queue",
                        new JsonObject()
                                .put("renewal", waiting.renewals())
                                .put("confirmation", waiting.confirmations())
                                .put("other", waiting.others())
                                .put("expiry", waiting.expiries()));
    }

    private static JsonObject cluster(PeerStatus status) {
        var json = new JsonObject().put("cluster_id", status.clusterId());
        status.incarnation().ifPresent(incarnation -> json.put("incarnation", incarnation));
        ClusterReport.of(status).ifPresent(settings -> json.mergeIn(settings.json()));
        return json.put("namespaces", status.namespaces())
                .put("segments", status.segments())
                .put("allocators", status.allocators())
                .put("routers", status.routers());
    }
}
