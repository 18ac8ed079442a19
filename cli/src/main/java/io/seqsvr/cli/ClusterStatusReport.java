package io.seqsvr.cli;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a whole cluster is, for people and for scripts: StoreSvr's peers, and who has a session there. */
final class ClusterStatusReport {
    private static final List<String> COLUMNS = List.of("NODE", "KIND", "ADDRESS", "STATE", "HEALTH", "SEGMENTS");
    private static final int FIRST_NUMBER = 5;

    private final StatusReport peers;
    private final Optional<StoreView> view;
    private final Map<HostPort, NodeHealth.Said> health;

    private ClusterStatusReport(StatusReport peers, Optional<StoreView> view, Map<HostPort, NodeHealth.Said> health) {
        this.peers = peers;
        this.view = view;
        this.health = health;
    }

    /** Where no peer tells who has a session. */
    static ClusterStatusReport ofPeersAlone(StatusReport peers) {
        return new ClusterStatusReport(peers, Optional.empty(), Map.of());
    }

    /**
     * Of a cluster that a view shows.
     *
     * @param ask asks these addresses for their health
     */
    static ClusterStatusReport of(
            StatusReport peers, StoreView view, Function<List<HostPort>, Map<HostPort, NodeHealth.Said>> ask) {
        var addresses = view.sessions().stream()
                .flatMap(member -> Nodes.address(member).stream())
                .toList();
        return new ClusterStatusReport(peers, Optional.of(view), ask.apply(addresses));
    }

    int exitCode() {
        if (peers.exitCode() != ExitCode.OK) {
            return peers.exitCode();
        }
        return problems().isEmpty() ? ExitCode.OK : ExitCode.UNHEALTHY;
    }

    /** Beside those of the peers. */
    private List<String> problems() {
        var problems = new ArrayList<String>();
        if (view.isEmpty()) {
            return problems;
        }
        var seen = view.get();
        for (var kind : List.of(SessionKind.ALLOCATOR, SessionKind.ROUTER)) {
            if (seen.sessions().stream().noneMatch(member -> member.kind() == kind)) {
                problems.add("no " + name(kind) + " has a session");
            }
        }
        seen.sessions().forEach(member -> problem(member).ifPresent(problems::add));
        for (var namespace : seen.namespaces()) {
            long without = namespace.segmentCount() - owned(seen, namespace);
            if (without > 0) {
                problems.add(without + " of " + namespace.segmentCount() + " segments of namespace '" + namespace.name()
                        + "' have no owner with a session");
            }
        }
        return problems;
    }

    private Optional<String> problem(Member member) {
        var who = member.name() + " (" + name(member.kind()) + " " + member.address() + ")";
        if (member.expelled()) {
            return Optional.of(who + " is expelled; its session ends with its timer");
        }
        return switch (health(member)) {
            case SERVING -> Optional.empty();
            case SILENT -> Optional.of(who + " has a session, but does not answer");
            // Who drains owns nothing, and serves nobody because of that.
            case NOT_SERVING ->
                member.leaving() ? Optional.empty() : Optional.of(who + " says that it cannot serve now");
        };
    }

    private NodeHealth.Said health(Member member) {
        return Nodes.address(member)
                .flatMap(address -> Optional.ofNullable(health.get(address)))
                .orElse(NodeHealth.Said.SILENT);
    }

    private static long owned(StoreView seen, Namespace namespace) {
        return Nodes.owned(
                seen,
                range -> range.namespaceId() == namespace.id()
                        && seen.session(range.owner()).isPresent());
    }

    private static String name(SessionKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(peers.text());
        view.ifPresent(seen -> {
            lines.add("");
            var rows = new ArrayList<List<String>>();
            rows.add(COLUMNS);
            for (var member : seen.sessions()) {
                rows.add(List.of(
                        member.name(),
                        name(member.kind()),
                        member.address(),
                        Nodes.state(member),
                        words(health(member)),
                        Long.toString(Nodes.segments(seen, member.id()))));
            }
            Columns.lines(rows, FIRST_NUMBER).forEach(lines::add);
        });
        var problems = problems();
        if (!problems.isEmpty()) {
            lines.add("");
            problems.forEach(problem -> lines.add("UNHEALTHY: " + problem));
        }
        return lines.toString();
    }

    private static String words(NodeHealth.Said said) {
        return said.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    JsonObject json() {
        var store = peers.json();
        var all = new JsonArray(store.getJsonArray("problems").stream().collect(Collectors.toList()));
        problems().forEach(all::add);
        var nodes = new JsonArray();
        view.ifPresent(seen -> seen.sessions()
                .forEach(member -> nodes.add(new JsonObject()
                        .put("name", member.name())
                        .put("kind", name(member.kind()))
                        .put("address", member.address())
                        .put("state", Nodes.state(member))
                        .put("health", words(health(member)))
                        .put("segments", Nodes.segments(seen, member.id())))));
        return new JsonObject()
                .put("healthy", exitCode() == ExitCode.OK)
                .put("problems", all)
                .put("store", store)
                .put("nodes", nodes);
    }
}
