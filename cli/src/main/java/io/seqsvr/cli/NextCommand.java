package io.seqsvr.cli;

import io.seqsvr.client.NextCall;
import io.seqsvr.client.SequenceClient;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes sequences of a user. */
@Command(
        name = "next",
        description = "Takes the next sequence of a user and prints it; with --count, prints first and last.")
final class NextCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private UserOptions user = new UserOptions();

    @Option(names = "--count", paramLabel = "N", description = "How many sequences to take (default: 1).")
    private long count = Long.MIN_VALUE;

    @Option(
            names = "--at-least",
            paramLabel = "SEQ",
            converter = SequenceConverter.class,
            description = "The first sequence is not below this one (default: no bound). A jump of at most the"
                    + " namespace's max_jump.")
    private long atLeast;

    @Option(
            names = "--min-epoch",
            paramLabel = "EPOCH",
            converter = SequenceConverter.class,
            description = "Owners of an older epoch refuse (default: any epoch will do).")
    private long minEpoch;

    @Mixin
    private CallOptions server = new CallOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        boolean several = count != Long.MIN_VALUE;
        try (var client = server.connect()) {
            var wanted = new NextCall(user.uid(), several ? count : 1, atLeast, minEpoch);
            var range = SequenceClient.join(client.next(user.namespace(), wanted));
            output.print(
                    spec.commandLine().getOut(),
                    () -> several ? range.first() + " " + range.last() : Long.toString(range.first()),
                    () -> new JsonObject()
                            .put("uid", Long.toUnsignedString(range.uid()))
                            .put("first", Long.toString(range.first()))
                            .put("last", Long.toString(range.last()))
                            .put("epoch", Long.toString(range.epoch())));
            return ExitCode.OK;
        }
    }
}
