package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lifts a user above a number. */
@Command(
        name = "raise-floor",
        description = {
            "Makes all later sequences of a user greater than FLOOR and prints where the user stands.",
            "For users who bring numbers along from elsewhere. Takes no sequence; a repeat is harmless."
        })
final class RaiseFloorCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private UserOptions user = new UserOptions();

    @Parameters(
            index = "1",
            paramLabel = "FLOOR",
            converter = SequenceConverter.class,
            description = "The greatest number that the user must never get again; at most the namespace's max_jump"
                    + " above what its segment has made durable.")
    private long floor;

    @Mixin
    private CallOptions server = new CallOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (var client = server.connect()) {
            var raised = SequenceClient.join(client.raiseFloor(user.namespace(), user.uid(), floor));
            output.print(
                    spec.commandLine().getOut(),
                    () -> Long.toString(raised.seq()),
                    () -> new JsonObject()
                            .put("uid", Long.toUnsignedString(raised.uid()))
                            .put("seq", Long.toString(raised.seq()))
                            .put("epoch", Long.toString(raised.epoch())));
            return ExitCode.OK;
        }
    }
}
