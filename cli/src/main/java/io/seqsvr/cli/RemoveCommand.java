package io.seqsvr.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes a peer out of the group. */
@Command(
        name = "remove",
        description = {
            "Takes one StoreSvr peer out of the group of a living cluster, and waits until it is out.",
            "Its process stops by itself. Its id must not be used again."
        })
final class RemoveCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private GroupOptions options = new GroupOptions();

    @Option(names = "--peer", paramLabel = "PEER", required = true, description = "Id of the peer to take out.")
    private String peer = "";

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var answer = options.talk(group -> group.remove(options.store(), peer));
        if (GroupOptions.exitCode(answer.outcome()) != ExitCode.OK) {
            spec.commandLine()
                    .getErr()
                    .println("seqsvr: " + peer + " was not removed: " + GroupOptions.explain(answer));
            return GroupOptions.exitCode(answer.outcome());
        }
        output.print(
                spec.commandLine().getOut(),
                () -> peer + " is out of the group; members are " + String.join(", ", answer.members()),
                () -> new JsonObject().put("removed", peer).put("members", new JsonArray(answer.members())));
        return ExitCode.OK;
    }
}
