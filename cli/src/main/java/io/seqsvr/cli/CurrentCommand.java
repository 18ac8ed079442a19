package io.seqsvr.cli;

import io.seqsvr.client.CurrentSequence;
import io.seqsvr.client.ItemOutcome;
import io.seqsvr.client.SequenceClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells the last sequence of one user, or of several. */
@Command(
        name = "current",
        description = {
            "Prints the last sequence of a user and how well it is known; takes nothing.",
            "With several users, one line each, the uid first; who has no answer is named on stderr.",
            "EXACT: handed out by the present owner, or 0 for never. UPPER_BOUND: nothing above it was handed out."
        })
final class CurrentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "UID",
            converter = UserOptions.UidConverter.class,
            description =
                    "The user, or several: whole numbers from 0 to the namespace's capacity - 1, or any of 64 bits"
                            + " where its keying is HASHED.")
    private List<Long> uids = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            defaultValue = "default",
            description = "Name of the namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Mixin
    private CallOptions server = new CallOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (var client = server.connect()) {
            if (uids.size() > 1) {
                return printAll(SequenceClient.join(client.currentMany(namespace, uids)));
            }
            var current = SequenceClient.join(client.current(namespace, uids.get(0)));
            output.print(spec.commandLine().getOut(), () -> text(current), () -> json(current));
            return ExitCode.OK;
        }
    }

    private int printAll(List<ItemOutcome<CurrentSequence>> outcomes) {
        var known =
                outcomes.stream().flatMap(outcome -> outcome.answer().stream()).toList();
        if (!known.isEmpty()) {
            print(known);
        }
        int exitCode = ExitCode.OK;
        for (var outcome : outcomes) {
            if (outcome.error().isPresent()) {
                var error = outcome.error().get();
                spec.commandLine()
                        .getErr()
                        .println("seqsvr: user " + Long.toUnsignedString(outcome.uid()) + ": " + Main.sentence(error));
                exitCode = Math.max(exitCode, Main.exitCode(error));
            }
        }
        return exitCode;
    }

    private void print(List<CurrentSequence> known) {
        output.print(
                spec.commandLine().getOut(),
                () -> known.stream()
                        .map(current -> Long.toUnsignedString(current.uid()) + " " + text(current))
                        .collect(Collectors.joining("\n")),
                () -> new JsonObject()
                        .put(
                                "users",
                                new JsonArray(
                                        known.stream().map(CurrentCommand::json).toList())));
    }

    private static String text(CurrentSequence current) {
        return current.seq() + " " + current.exactness();
    }

    private static JsonObject json(CurrentSequence current) {
        return new JsonObject()
                .put("uid", Long.toUnsignedString(current.uid()))
                .put("seq", Long.toString(current.seq()))
                .put("exactness", current.exactness().name())
                .put("epoch", Long.toString(current.epoch()));
    }
}
