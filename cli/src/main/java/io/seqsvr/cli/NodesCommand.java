package io.seqsvr.cli;

import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists allocators and routers. */
@Command(
        name = "nodes",
        description = {
            "Prints the allocators and routers that have a session, the oldest first, and how many segments each owns.",
            "'leaving': it is given nothing more, as it drains or stops; 'expelled': its session ends with its timer.",
            "Ends with 0 if an allocator and a router are open, else with 3."
        })
final class NodesCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("NODE", "KIND", "ADDRESS", "STATE", "SEGMENTS", "SESSION");
    private static final int FIRST_NUMBER = 4;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var view = store.view();
        output.print(spec.commandLine().getOut(), () -> text(view), () -> json(view));
        return isOpen(view, SessionKind.ALLOCATOR) && isOpen(view, SessionKind.ROUTER)
                ? ExitCode.OK
                : ExitCode.UNHEALTHY;
    }

    private static boolean isOpen(StoreView view, SessionKind kind) {
        return view.sessions().stream().anyMatch(member -> member.kind() == kind && Nodes.isOpen(member));
    }

    private static String kind(StoreView.Member member) {
        return member.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String text(StoreView view) {
        var rows = new ArrayList<List<String>>();
        rows.add(COLUMNS);
        for (var member : view.sessions()) {
            rows.add(List.of(
                    member.name(),
                    kind(member),
                    member.address(),
                    Nodes.state(member),
                    Long.toString(Nodes.segments(view, member.id())),
                    Long.toString(member.id())));
        }
        return String.join(System.lineSeparator(), Columns.lines(rows, FIRST_NUMBER));
    }

    private static JsonObject json(StoreView view) {
        var nodes = new JsonArray();
        for (var member : view.sessions()) {
            nodes.add(new JsonObject()
                    .put("name", member.name())
                    .put("kind", kind(member))
                    .put("address", member.address())
                    .put("state", Nodes.state(member))
                    .put("segments", Nodes.segments(view, member.id()))
                    .put("session", Long.toString(member.id())));
        }
        return new JsonObject().put("version", Long.toString(view.version())).put("nodes", nodes);
    }
}
