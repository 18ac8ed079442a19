package io.seqsvr.cli;

import io.seqsvr.core.namespace.NamespaceChange;
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

/** Alters a namespace. */
@Command(
        name = "alter",
        description = {
            "Alters settings of a namespace and prints it; running AllocSvr and routers go by them without a restart.",
            "Capacity, segment size and keying never change."
        })
final class NamespaceAlterCommand implements Callable<Integer> {
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
        if (wanted.change().equals(NamespaceChange.NONE)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nothing is to be altered: give --step, --max-count, --max-jump, --order or --max-sequence");
        }
        var reply = store.execute(new StoreCommand.AlterNamespace(wanted.name(), wanted.change()), NamespaceGroup.LIST);
        if (reply instanceof StoreReply.NamespaceRefused refused) {
            throw StoreFailure.refused(refused.reason());
        }
        if (!(reply instanceof StoreReply.NamespaceAltered altered)) {
            throw new IllegalStateException("AlterNamespace was answered " + reply);
        }
        output.print(
                spec.commandLine().getOut(),
                () -> NamespaceReport.text(List.of(altered.namespace())),
                () -> new JsonObject().put("namespace", NamespaceReport.json(altered.namespace())));
        return ExitCode.OK;
    }
}
