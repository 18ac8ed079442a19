package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Skip;
import io.seqsvr.cli.demo.ClusterFault;
import io.seqsvr.cli.demo.Feasible;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The faults that there are. */
@Command(
        name = "list",
        description =
                "Lists what can be done to a cluster, to whom, and for how long users may wait because of it; and,"
                        + " which of it this machine, or a cluster of other numbers, does not bear.")
final class ChaosListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var of = cluster.plan(spec.commandLine());
        var notHere = Feasible.of(ClusterFault.all(), of, Optional.empty()).skipped().stream()
                .collect(Collectors.toMap(Skip::cell, Skip::why));
        output.print(spec.commandLine().getOut(), () -> text(of, notHere), () -> json(of, notHere));
        return ExitCode.OK;
    }

    private static String text(ClusterPlan of, Map<String, String> notHere) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("FAULT", "WHAT", "TO", "USERS MAY WAIT"));
        for (var fault : ClusterFault.all()) {
            rows.add(List.of(
                    fault.name(),
                    fault.kind().words(),
                    fault.victim().words(),
                    Optional.ofNullable(notHere.get(fault.name()))
                            .map(problem -> "not here: " + problem)
                            .orElseGet(() -> String.format(
                                    Locale.ROOT, "%,d ms", fault.bound(of).toMillis()))));
        }
        return Columns.lines(rows, 4).stream()
                .map(String::stripTrailing)
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static JsonObject json(ClusterPlan of, Map<String, String> notHere) {
        var faults = new JsonArray();
        for (var fault : ClusterFault.all()) {
            var json = new JsonObject()
                    .put("name", fault.name())
                    .put("what", fault.kind().words())
                    .put("to", fault.victim().words())
                    .put("bound_ms", fault.bound(of).toMillis());
            Optional.ofNullable(notHere.get(fault.name())).ifPresent(problem -> json.put("not_here", problem));
            faults.add(json);
        }
        return new JsonObject().put("faults", faults);
    }
}
