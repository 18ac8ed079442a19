package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Skip;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What can be done to a cluster on this machine.
 *
 * @param faults what can
 * @param needs what the machine must let us do for that
 * @param skipped what cannot, and why
 */
public record Feasible(List<ClusterFault> faults, Set<Need> needs, List<Skip> skipped) {
    /** Keeps copies. */
    public Feasible {
        faults = List.copyOf(faults);
        needs = Set.copyOf(needs);
        skipped = List.copyOf(skipped);
    }

    /**
     * Looks, and tries, what this machine lets us do; only what one of these faults needs.
     *
     * @param network what is to lie between the nodes: namespaces, or proxies; if it is not given, the first of these
     *     that can be
     */
    public static Feasible of(List<ClusterFault> wanted, ClusterPlan cluster, Optional<Network> network) {
        var search = new Search(network);
        for (var fault : wanted) {
            search.look(fault, cluster);
        }
        return new Feasible(search.faults, search.needs, search.skipped);
    }

    /** The same of faults on the way to a cluster that is not ours. */
    public static Feasible onTheWay(List<ClusterFault> wanted) {
        var missing = Need.PROXIES.missing();
        return missing.isEmpty()
                ? new Feasible(wanted, Set.of(), List.of())
                : new Feasible(
                        List.of(),
                        Set.of(),
                        wanted.stream()
                                .map(fault -> new Skip(fault.name(), missing.get()))
                                .toList());
    }

    private static final class Search {
        private final boolean wantsProxies;
        private final boolean wantsNamespaces;
        private final Map<Need, Optional<String>> missing = new EnumMap<>(Need.class);
        private final List<ClusterFault> faults = new ArrayList<>();
        private final Set<Need> needs = EnumSet.noneOf(Need.class);
        private final List<Skip> skipped = new ArrayList<>();

        private Search(Optional<Network> network) {
            this.wantsProxies = network.filter(Network.PROXY::equals).isPresent();
            this.wantsNamespaces = network.filter(Network.NAMESPACES::equals).isPresent();
        }

        private void look(ClusterFault fault, ClusterPlan cluster) {
            var ofFault = fault.kind().needs().stream()
                    .map(need -> need == Need.NETWORK && !hasNamespaces() ? Need.PROXIES : need)
                    .toList();
            var lacks = fault.problem(cluster)
                    .or(() -> ofFault.contains(Need.PROXIES) ? beyondProxies(fault) : Optional.empty())
                    .or(() -> ofFault.stream()
                            .flatMap(need -> missing(need).stream())
                            .findFirst());
            if (lacks.isPresent()) {
                skipped.add(new Skip(fault.name(), lacks.get()));
            } else {
                faults.add(fault);
                needs.addAll(ofFault);
            }
        }

        private Optional<String> missing(Need need) {
            return missing.computeIfAbsent(need, Need::missing);
        }

        private boolean hasNamespaces() {
            return !wantsProxies && (wantsNamespaces || missing(Need.NETWORK).isEmpty());
        }

        private Optional<String> beyondProxies(ClusterFault fault) {
            var why = wantsProxies
                    ? "proxies were asked for"
                    : missing(Need.NETWORK).orElse("there are no namespaces");
            if (fault.victim().tier() == Tier.STORESVR) {
                return Optional.of("no proxy stands between the peers of StoreSvr (" + why + ")");
            }
            return fault.kind().isOfFrames()
                    ? Optional.of("a proxy carries bytes, and no frames to be lost or doubled (" + why + ")")
                    : Optional.empty();
        }
    }

    /** Why one of them cannot be done, if it cannot. */
    private Optional<String> lacks(ClusterFault fault) {
        return skipped.stream()
                .filter(skip -> skip.cell().equals(fault.name()))
                .map(Skip::why)
                .findFirst();
    }

    /**
     * What of these cannot be tried, as something in it cannot be done.
     *
     * @param name what reports call a cell
     */
    public List<Skip> skippedOf(List<Compound> cells, Function<Compound, String> name) {
        return cells.stream()
                .distinct()
                .flatMap(cell -> cell.faults().stream()
                        .flatMap(fault -> lacks(fault).stream())
                        .limit(1)
                        .map(why -> new Skip(name.apply(cell), why)))
                .toList();
    }

    /** Why not, each reason once. */
    public String reasons() {
        return skipped.stream().map(Skip::why).distinct().collect(Collectors.joining("; "));
    }
}
