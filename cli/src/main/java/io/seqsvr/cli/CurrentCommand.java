package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells the last sequence of a user. */
@Command(
        name = "current",
        description = {
            "Prints the last sequence of a user and how well it is known; takes nothing.",
            "EXACT: handed out by the present owner, or 0 for never. UPPER_BOUND: nothing above it was handed out."
        })
final class CurrentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private UserOptions user = new UserOptions();

    @Mixin
    private EndpointOptions endpoint = new EndpointOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (var client = endpoint.connect()) {
            var current = SequenceClient.join(client.current(user.namespace(), user.uid()));
            output.print(
                    spec.commandLine().getOut(),
                    () -> current.seq() + " " + current.exactness(),
                    () -> new JsonObject()
                            .put("uid", Long.toUnsignedString(current.uid()))
                            .put("seq", Long.toString(current.seq()))
                            .put("exactness", current.exactness().name())
                            .put("epoch", Long.toString(current.epoch())));
            return ExitCode.OK;
        }
    }
}
