package io.seqsvr.cli;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Has another peer lead. */
@Command(name = "transfer-leader", description = "Has another StoreSvr peer lead the group, and waits until it does.")
final class TransferLeaderCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private GroupOptions options = new GroupOptions();

    @Option(
            names = "--to",
            paramLabel = "PEER",
            defaultValue = "",
            description = "Id of the peer that is to lead (default: the follower with most of the log).")
    private String to = "";

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var answer = options.talk(group -> group.transferLeader(options.store(), to));
        if (GroupOptions.exitCode(answer.outcome()) != ExitCode.OK) {
            spec.commandLine()
                    .getErr()
                    .println("seqsvr: leadership was not transferred: " + GroupOptions.explain(answer));
            return GroupOptions.exitCode(answer.outcome());
        }
        output.print(
                spec.commandLine().getOut(),
                () -> answer.leader() + " leads",
                () -> new JsonObject().put("leader", answer.leader()));
        return ExitCode.OK;
    }
}
