package io.seqsvr.cli;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreView;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Gives segments to another allocator without a gap. */
@Command(
        name = "move",
        description = "Has segments handed over to an allocator by those that own them, and waits until it owns them.")
final class MoveCommand implements Callable<Integer> {
    /** Neighbouring segments. */
    record Segments(int first, int last) {}

    /** A or A-B. */
    static final class SegmentsConverter implements ITypeConverter<Segments> {
        private static final Pattern FORM = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

        @Override
        public Segments convert(String text) {
            var form = FORM.matcher(text);
            if (!form.matches()) {
                throw new TypeConversionException("'" + text + "' is no range of segments; write 7 or 7-12");
            }
            int first = Integer.parseInt(form.group(1));
            int last = form.group(2) == null ? first : Integer.parseInt(form.group(2));
            if (last < first || last - first >= StoreCommand.MAX_SEGMENTS) {
                throw new TypeConversionException("'" + text + "' must name 1 to " + StoreCommand.MAX_SEGMENTS
                        + " segments, the lower one first");
            }
            return new Segments(first, last);
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Their namespace" + " (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(
            names = "--segments",
            paramLabel = "A[-B]",
            required = true,
            converter = SegmentsConverter.class,
            description = "Which: the segment of a user is its uid divided by the segment size.")
    private Segments segments = new Segments(0, 0);

    @Option(
            names = "--to",
            paramLabel = "NODE",
            required = true,
            description = "Name, address or session of who gets" + " them.")
    private String to = "";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Until until = new Until();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var view = store.view();
        var receiver = Nodes.allocator(view, to);
        var known = view.namespace(namespace)
                .orElseThrow(() -> StoreFailure.refused("there is no namespace '" + namespace + "'"));
        if (segments.last() >= known.segmentCount()) {
            throw StoreFailure.refused("namespace '" + namespace + "' has segments 0 to " + (known.segmentCount() - 1));
        }
        if (!receiver.mayReceive()) {
            throw StoreFailure.refused(receiver.name()
                    + (receiver.renewed()
                            ? " is given nothing more: it drains, stops or was expelled"
                            : " has just begun and is given nothing yet; try again"));
        }
        order(view, known.id(), receiver);
        var done = until.noneIsLeft(
                store, seen -> elsewhere(seen, known.id(), receiver.id()), "are not at " + receiver.name() + " yet");
        int count = segments.last() - segments.first() + 1;
        output.print(
                spec.commandLine().getOut(),
                () -> receiver.name() + " owns " + count + " segments from " + segments.first() + " on",
                () -> new JsonObject()
                        .put("node", receiver.name())
                        .put("segments", count)
                        .put("version", Long.toString(done.version())));
        return ExitCode.OK;
    }

    /** Each owner hands over what it has of them. */
    private void order(StoreView view, int namespaceId, StoreView.Member receiver) throws StoreFailure {
        var cluster = store.cluster();
        for (var range : view.routes().ranges()) {
            var owner = view.session(range.owner());
            if (overlap(range, namespaceId) == 0 || range.owner() == receiver.id() || owner.isEmpty()) {
                continue;
            }
            var wanted = new RouteRange(
                    namespaceId,
                    Math.max(range.first(), segments.first()),
                    Math.min(range.last(), segments.last()),
                    range.owner(),
                    range.epoch());
            var address = Nodes.address(owner.get());
            store.order(
                    address,
                    allocator -> allocator.handOver(address, cluster, wanted.owner(), receiver.id(), List.of(wanted)));
        }
    }

    private long overlap(RouteRange range, int namespaceId) {
        return range.namespaceId() == namespaceId
                ? Math.max(0, Math.min(range.last(), segments.last()) - Math.max(range.first(), segments.first()) + 1)
                : 0;
    }

    /** How many of them the receiver does not own. */
    private long elsewhere(StoreView view, int namespaceId, long receiver) {
        long there = 0;
        for (var range : view.routes().ranges()) {
            there += range.owner() == receiver ? overlap(range, namespaceId) : 0;
        }
        return segments.last() - segments.first() + 1 - there;
    }
}
