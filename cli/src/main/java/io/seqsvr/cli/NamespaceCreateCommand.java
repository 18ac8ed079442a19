package io.seqsvr.cli;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a namespace. */
@Command(
        name = "create",
        description = {
            "Makes a namespace and prints it; running AllocSvr and routers serve it without a restart.",
            "One that is there with the very same settings is left as it is, and said to have been there."
        })
final class NamespaceCreateCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private NamespaceOptions wanted = new NamespaceOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var problem = wanted.problem();
        if (problem.isPresent()) {
            throw new ParameterException(spec.commandLine(), problem.get());
        }
        var reply = store.execute(new StoreCommand.CreateNamespace(wanted.settings()), NamespaceGroup.LIST);
        if (reply instanceof StoreReply.NamespaceRefused refused) {
            throw StoreFailure.refused(refused.reason());
        }
        if (!(reply instanceof StoreReply.NamespaceCreated created)) {
            throw new IllegalStateException("CreateNamespace was answered " + reply);
        }
        if (!created.created()) {
            spec.commandLine()
                    .getErr()
                    .println("seqsvr: namespace '" + wanted.name()
                            + "' existed already, with exactly these settings; nothing was changed");
        }
        output.print(
                spec.commandLine().getOut(),
                () -> NamespaceReport.text(List.of(created.namespace())),
                () -> new JsonObject()
                        .put("created", created.created())
                        .put("namespace", NamespaceReport.json(created.namespace())));
        return ExitCode.OK;
    }
}
