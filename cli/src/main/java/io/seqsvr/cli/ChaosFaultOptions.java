package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.cli.demo.ChaosPlan;
import io.seqsvr.cli.demo.ClusterFault;
import io.seqsvr.cli.demo.Compound;
import io.seqsvr.cli.demo.Feasible;
import io.seqsvr.cli.demo.LivingCluster;
import io.seqsvr.cli.demo.Timing;
import io.seqsvr.cli.demo.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** What is done to a cluster: drawn from some faults, or one after the other. */
final class ChaosFaultOptions {
    private static final int MOST_AT_ONCE = 3;
    private static final int MOST_TIMES = 1_000;
    private static final String ALL = "all";

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            split = ",",
            converter = FaultConverter.class,
            description =
                    "What is done, as 'seqsvr chaos list' names it: kill-allocator, for example. Several are drawn"
                            + " from (default: all that this cluster and this machine can bear).")
    private List<ClusterFault> faults = List.of();

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "How many of them are at work together at most, each on a node of its own, from 1 to 3;"
                    + " where there may be more than one, there are two at least"
                    + " (default: 1 with --fault, 3 without). One AllocSvr and a majority of StoreSvr are left alone.")
    private Optional<Integer> atOnce = Optional.empty();

    @Option(
            names = "--cells",
            paramLabel = "FAULT",
            split = ",",
            description = "These faults, one after the other, --times each, instead of what is drawn; 'all' for each"
                    + " alone, and pause-allocator+kill-store-leader, for example, for some together.")
    private List<String> cells = List.of();

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often each of --cells, from 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int times = 2;

    @Option(
            names = "--network",
            paramLabel = "KIND",
            description = "What lies between the nodes where a fault needs it: namespaces, or proxy for TCP proxies on"
                    + " loopback, which need no root and can do less (default: the first of these that can be).")
    private Optional<Network> network = Optional.empty();

    /** Reads the name of a fault. */
    static final class FaultConverter implements ITypeConverter<ClusterFault> {
        @Override
        public ClusterFault convert(String text) {
            return ClusterFault.named(text.toLowerCase(Locale.ROOT))
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is no fault; 'seqsvr chaos list' names them all"));
        }
    }

    boolean areCells() {
        return !cells.isEmpty();
    }

    /** Whether something may be done to StoreSvr; what is no fault is not told here. */
    boolean strikeStores() {
        var named = Stream.concat(
                faults.stream(),
                cells.stream()
                        .flatMap(text -> Stream.of(text.split("\\+", -1)))
                        .flatMap(name -> ClusterFault.named(name.strip().toLowerCase(Locale.ROOT)).stream()));
        return isAll() || named.anyMatch(ClusterFault::strikesStores);
    }

    /** The plan; for a wrong one a failure of the command line. */
    ChaosPlan plan(
            CommandLine command,
            ClusterPlan of,
            PassedCells done,
            Timing timing,
            long seed,
            Optional<LivingCluster> living,
            ClusterOptions cluster) {
        if (areCells() && !faults.isEmpty()) {
            throw new ParameterException(command, "--fault draws and --cells does not: take one of them");
        }
        if (times < 1 || times > MOST_TIMES) {
            throw new ParameterException(command, "--times is " + times + "; it must be from 1 to " + MOST_TIMES);
        }
        var named = named(command);
        var possible = living.isPresent() ? LivingCluster.faults() : ClusterFault.all();
        requirePossible(command, named, possible);
        if (living.isEmpty()) {
            requireBearable(command, named, of.withCallers(1));
        }
        var wanted = new ArrayList<>(named);
        if (isAll()) {
            possible.stream()
                    .map(Compound::of)
                    .filter(one -> !named.contains(one))
                    .forEach(wanted::add);
        }
        var feasible = feasible(wanted, of, living);
        var left = wanted.stream()
                .filter(cell -> feasible.faults().containsAll(cell.faults()))
                .toList();
        if (left.isEmpty()) {
            throw new ParameterException(command, "nothing of that can be done here: " + feasible.reasons());
        }
        // What is possible, but not together with what is not, is not tried: nothing has to be there for it.
        var needed = faultsOf(left).size() == feasible.faults().size() ? feasible : feasible(left, of, living);
        var drawing = new ChaosPlan(
                needed.faults(),
                needed.needs(),
                atOnce(command),
                of.withCallers(callers(needed.faults())),
                cluster.users(),
                timing,
                seed,
                List.of(),
                List.of(),
                living,
                cluster.parent());
        var plan = drawing.withSkipped(feasible.skippedOf(wanted, drawing::cell));
        return areCells() ? plan.withCells(notYet(plan, left, done)) : plan;
    }

    /** An application only where something is done to it: it takes its share of the machine. */
    private static int callers(List<ClusterFault> faults) {
        return faults.stream().anyMatch(fault -> fault.victim() == Victim.CALLER) ? 1 : 0;
    }

    private Feasible feasible(List<Compound> cells, ClusterPlan of, Optional<LivingCluster> living) {
        var drawn = faultsOf(cells);
        return living.isPresent() ? Feasible.onTheWay(drawn) : Feasible.of(drawn, of, network);
    }

    private static List<ClusterFault> faultsOf(List<Compound> cells) {
        return cells.stream().flatMap(cell -> cell.faults().stream()).distinct().toList();
    }

    private boolean isAll() {
        return areCells() ? cells.contains(ALL) : faults.isEmpty();
    }

    /** What was named, each alone or with what is to be at work together with it. */
    private List<Compound> named(CommandLine command) {
        if (!areCells()) {
            return faults.stream().map(Compound::of).toList();
        }
        try {
            var converter = new FaultConverter();
            return cells.stream()
                    .filter(text -> !text.equals(ALL))
                    .map(text -> new Compound(Stream.of(text.split("\\+", -1))
                            .map(String::strip)
                            .map(converter::convert)
                            .toList()))
                    .toList();
        } catch (TypeConversionException unknown) {
            throw new ParameterException(command, "--cells: " + unknown.getMessage());
        }
    }

    /** To somebody else's nodes nothing is done. */
    private static void requirePossible(CommandLine command, List<Compound> named, List<ClusterFault> possible) {
        var beyond = named.stream()
                .flatMap(cell -> cell.faults().stream())
                .filter(fault -> !possible.contains(fault))
                .map(ClusterFault::name)
                .toList();
        if (!beyond.isEmpty()) {
            throw new ParameterException(
                    command,
                    String.join(", ", beyond) + " cannot be done to the cluster at --endpoint; what can is "
                            + possible.stream().map(ClusterFault::name).collect(Collectors.joining(", ")));
        }
    }

    private static void requireBearable(CommandLine command, List<Compound> named, ClusterPlan of) {
        var problems = named.stream().flatMap(cell -> cell.problem(of).stream()).toList();
        if (!problems.isEmpty()) {
            throw new ParameterException(command, String.join("; ", problems));
        }
    }

    /** Round about, so that a run that is broken off has tried as many as it could. */
    private List<Compound> notYet(ChaosPlan plan, List<Compound> cells, PassedCells done) {
        var left = new ArrayList<Compound>();
        for (int time = 1; time <= times; time++) {
            for (var cell : cells) {
                if (done.of(plan.cell(cell), plan.boundOf(cell.faults()), plan.networkFor(cell)) < time) {
                    left.add(cell);
                }
            }
        }
        return left;
    }

    private int atOnce(CommandLine command) {
        int count = atOnce.orElse(faults.isEmpty() ? MOST_AT_ONCE : 1);
        if (count < 1 || count > MOST_AT_ONCE) {
            throw new ParameterException(command, "--at-once is " + count + "; it must be from 1 to " + MOST_AT_ONCE);
        }
        return count;
    }
}
