package io.seqsvr.storeclient;

import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Asks every peer of a group about itself: those of given addresses, and those that they name. Use it from one context,
 * and once.
 */
public final class StoreSurvey {
    /** Addresses that are asked at most: a group has fewer members. */
    static final int MOST_ASKED = 64;

    private final Function<HostPort, Future<PeerStatus>> ask;
    private final Map<HostPort, Finding> asked = new LinkedHashMap<>();

    /**
     * What came of asking one address.
     *
     * @param id the peer that answered, or that others name there; nothing if nobody does
     * @param address where it was asked
     * @param status its answer
     * @param failure why there is no answer, one sentence; empty if there is one
     */
    public record Finding(Optional<String> id, HostPort address, Optional<PeerStatus> status, String failure) {}

    /**
     * A survey that has asked nobody yet.
     *
     * @param ask asks one peer, and fails in time if it does not answer
     */
    public StoreSurvey(Function<HostPort, Future<PeerStatus>> ask) {
        this.ask = ask;
    }

    /**
     * Surveys these addresses, and once more if nobody at all answered: a process that has just started may need longer
     * for its own first call, on a busy machine, than the peers get for theirs.
     *
     * @param ask asks one peer, and fails in time if it does not answer
     * @return what came of it at last, as {@link #of}
     */
    public static Future<List<Finding>> insistently(
            Function<HostPort, Future<PeerStatus>> ask, Collection<HostPort> addresses) {
        return new StoreSurvey(ask)
                .of(addresses)
                .compose(findings ->
                        findings.stream().anyMatch(finding -> finding.status().isPresent())
                                ? Future.succeededFuture(findings)
                                : new StoreSurvey(ask).of(addresses));
    }

    /**
     * Asks these addresses, then the members that the answers name and that have not answered yet.
     *
     * @return one finding for each peer, by id; never fails
     */
    public Future<List<Finding>> of(Collection<HostPort> addresses) {
        var next = new LinkedHashSet<>(addresses)
                .stream()
                        .filter(address -> !asked.containsKey(address))
                        .limit(MOST_ASKED - asked.size())
                        .toList();
        if (next.isEmpty()) {
            return Future.succeededFuture(findings());
        }
        return Future.join(next.stream().map(this::find).toList()).compose(all -> {
            all.<Finding>list().forEach(finding -> asked.put(finding.address(), finding));
            return of(unanswered());
        });
    }

    /**
     * Whom to believe about the cluster: a leader that is ready, of the newest life and in that of the newest term,
     * before whoever applied most. Terms count anew in each life.
     */
    public static Optional<Finding> best(Collection<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.status().isPresent())
                .max(Comparator.comparing(
                        finding -> finding.status().orElseThrow(),
                        Comparator.comparing(PeerStatus::ready)
                                .thenComparing(StoreSurvey::life)
                                .thenComparing(PeerStatus::term)
                                .thenComparing(status -> status.appliedIndex().orElse(-1))));
    }

    /**
     * Why no peer is to be asked for anything: one takes commands, and another one is of a newer life of the cluster.
     * A forgotten peer of an older life that takes none does no harm.
     *
     * @return one sentence; nothing if all is well
     */
    public static Optional<String> livesApart(Collection<Finding> findings) {
        var answers =
                findings.stream().flatMap(finding -> finding.status().stream()).toList();
        for (var ready : answers) {
            for (var other : answers) {
                if (ready.ready() && ready.clusterId().equals(other.clusterId()) && life(ready) < life(other)) {
                    return Optional.of(apart(ready.id(), life(ready), other.id(), life(other)));
                }
            }
        }
        return Optional.empty();
    }

    static String apart(String older, int former, String newer, int incarnation) {
        return "peers of two lives of the cluster answer, and the older one takes commands: " + older
                + " is of incarnation " + former + ", " + newer + " of incarnation " + incarnation
                + "; stop every peer of the older one, for good";
    }

    /** Below every life where the peer does not know it yet. */
    private static int life(PeerStatus status) {
        return status.incarnation().orElse(-1);
    }

    private Future<Finding> find(HostPort address) {
        return ask.apply(address)
                .map(status -> new Finding(Optional.of(status.id()), address, Optional.of(status), ""))
                .otherwise(failure -> new Finding(
                        Optional.empty(),
                        address,
                        Optional.empty(),
                        Objects.requireNonNullElse(failure.getMessage(), "no reason given")));
    }

    /** A peer may listen where others do not name it: who answered is known by its id. */
    private List<HostPort> unanswered() {
        var answered = answers().map(PeerStatus::id).toList();
        return named().filter(member -> !answered.contains(member.id()))
                .map(PeerStatus.Member::address)
                .toList();
    }

    private Stream<PeerStatus> answers() {
        return asked.values().stream().flatMap(finding -> finding.status().stream());
    }

    private Stream<PeerStatus.Member> named() {
        return answers().flatMap(status -> status.members().stream());
    }

    private List<Finding> findings() {
        var seen = new HashSet<List<String>>();
        var findings = new ArrayList<Finding>();
        for (var finding : asked.values()) {
            // The same peer under two of its addresses is one peer; ids of a former life may be used again.
            if (finding.status().isEmpty()) {
                findings.add(named(finding));
            } else if (seen.add(identity(finding.status().get()))) {
                findings.add(finding);
            }
        }
        findings.sort(Comparator.comparing((Finding finding) -> finding.id().isEmpty())
                .thenComparing(finding -> finding.id().orElse(""))
                .thenComparing(finding -> finding.address().toString()));
        return findings;
    }

    private static List<String> identity(PeerStatus status) {
        return List.of(status.clusterId(), status.incarnation().toString(), status.id());
    }

    private Finding named(Finding silent) {
        var id = named().filter(member -> member.address().equals(silent.address()))
                .map(PeerStatus.Member::id)
                .findFirst();
        return new Finding(id, silent.address(), Optional.empty(), silent.failure());
    }
}
