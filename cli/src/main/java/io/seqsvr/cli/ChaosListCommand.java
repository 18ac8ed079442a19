package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.cli.demo.ClusterFault;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
                        + " for a cluster of other numbers, what it could not bear.")
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
        output.print(spec.commandLine().getOut(), () -> text(of), () -> json(of));
        return ExitCode.OK;
    }

    private static String text(ClusterPlan of) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("FAULT", "WHAT", "TO", "USERS MAY WAIT"));
        for (var fault : ClusterFault.all()) {
            rows.add(List.of(
                    fault.name(),
                    fault.kind().words(),
                    fault.victim().words(),
                    fault.problem(of)
                            .map(problem -> "not here: " + problem)
                            .orElseGet(() -> String.format(
                                    Locale.ROOT, "%,d ms", fault.bound(of).toMillis()))));
        }
        return Columns.lines(rows, 4).stream()
                .map(String::stripTrailing)
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static JsonObject json(ClusterPlan of) {
        var faults = new JsonArray();
        for (var fault : ClusterFault.all()) {
            var json = new JsonObject()
                    .put("name", fault.name())
                    .put("what", fault.kind().words())
                    .put("to", fault.victim().words())
                    .put("bound_ms", fault.bound(of).toMillis());
            fault.problem(of).ifPresent(problem -> json.put("not_here", problem));
            faults.add(json);
        }
        return new JsonObject().put("faults", faults);
    }
}
