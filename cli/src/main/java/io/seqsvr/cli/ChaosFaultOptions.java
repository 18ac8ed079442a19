package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.cli.demo.ChaosPlan;
import io.seqsvr.cli.demo.ClusterFault;
import io.seqsvr.cli.demo.Feasible;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
            description = "How many of them are at work together at most, each on a node of its own, from 1 to 3"
                    + " (default: 1 with --fault, 2 without). One AllocSvr and a majority of StoreSvr are left alone.")
    private Optional<Integer> atOnce = Optional.empty();

    @Option(
            names = "--cells",
            paramLabel = "FAULT",
            split = ",",
            description = "These faults alone, one after the other, --times each, instead of what is drawn; 'all' for"
                    + " all.")
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

    /** The plan; for a wrong one a failure of the command line. */
    ChaosPlan plan(
            CommandLine command,
            ClusterPlan of,
            PassedCells done,
            double minutes,
            long seed,
            Optional<Duration> bound,
            ClusterOptions cluster) {
        if (areCells() && !faults.isEmpty()) {
            throw new ParameterException(command, "--fault draws and --cells does not: take one of them");
        }
        if (times < 1 || times > MOST_TIMES) {
            throw new ParameterException(command, "--times is " + times + "; it must be from 1 to " + MOST_TIMES);
        }
        var wanted = wanted(command);
        boolean isAll = faults.isEmpty() && (!areCells() || cells.contains(ALL));
        if (!isAll) {
            requireBearable(command, wanted, of);
        }
        var feasible = Feasible.of(wanted, of, network);
        if (feasible.faults().isEmpty()) {
            throw new ParameterException(command, "nothing of that can be done here: " + feasible.reasons());
        }
        return new ChaosPlan(
                feasible.faults(),
                feasible.needs(),
                atOnce(command),
                of,
                cluster.users(),
                minutes,
                seed,
                areCells() ? left(feasible.faults(), done) : List.of(),
                feasible.skipped(),
                bound,
                cluster.parent());
    }

    private List<ClusterFault> wanted(CommandLine command) {
        if (cells.contains(ALL) || (cells.isEmpty() && faults.isEmpty())) {
            return ClusterFault.all();
        }
        if (!areCells()) {
            return faults;
        }
        try {
            var converter = new FaultConverter();
            return cells.stream().map(converter::convert).toList();
        } catch (TypeConversionException unknown) {
            throw new ParameterException(command, "--cells: " + unknown.getMessage());
        }
    }

    private static void requireBearable(CommandLine command, List<ClusterFault> wanted, ClusterPlan of) {
        var problems =
                wanted.stream().flatMap(fault -> fault.problem(of).stream()).toList();
        if (!problems.isEmpty()) {
            throw new ParameterException(command, String.join("; ", problems));
        }
    }

    /** Round about, so that a run that is broken off has tried as many as it could. */
    private List<ClusterFault> left(List<ClusterFault> feasible, PassedCells done) {
        var left = new ArrayList<ClusterFault>();
        for (int time = 1; time <= times; time++) {
            for (var fault : feasible) {
                if (done.of(fault.name()) < time) {
                    left.add(fault);
                }
            }
        }
        return left;
    }

    private int atOnce(CommandLine command) {
        int count = atOnce.orElse(faults.isEmpty() ? 2 : 1);
        if (count < 1 || count > MOST_AT_ONCE) {
            throw new ParameterException(command, "--at-once is " + count + "; it must be from 1 to " + MOST_AT_ONCE);
        }
        return count;
    }
}
