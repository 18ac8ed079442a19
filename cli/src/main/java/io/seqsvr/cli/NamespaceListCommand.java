package io.seqsvr.cli;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists namespaces. */
@Command(
        name = "list",
        description =
                "Prints all namespaces with their settings, by id, as the leader shows them, or without one whoever"
                        + " is ahead.")
final class NamespaceListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var namespaces = store.view().namespaces();
        output.print(
                spec.commandLine().getOut(),
                () -> NamespaceReport.text(namespaces),
                () -> new JsonObject().put("namespaces", NamespaceReport.json(namespaces)));
        return ExitCode.OK;
    }
}
