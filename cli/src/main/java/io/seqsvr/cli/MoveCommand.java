package io.seqsvr.cli;

import io.seqsvr.cli.SegmentMove.Segments;
import io.seqsvr.core.store.StoreCommand;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Gives segments to another allocator without a gap. */
@Command(
        name = "move",
        description = "Has segments handed over to an allocator by those that own them, and waits until it owns them.")
final class MoveCommand implements Callable<Integer> {
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
            if (last < first) {
                throw new TypeConversionException("'" + text + "' must name the lower segment first");
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
            split = ",",
            converter = SegmentsConverter.class,
            description = "Which, one or several; 'seqsvr describe UID' names the segment of a user.")
    private List<Segments> segments = List.of();

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

    /** How many in all, if each was named once. */
    private int count() {
        long count = segments.stream().mapToLong(Segments::size).sum();
        if (count > StoreCommand.MAX_SEGMENTS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--segments names " + count + " segments; at most " + StoreCommand.MAX_SEGMENTS + " at once");
        }
        for (int i = 0; i < segments.size(); i++) {
            for (int j = i + 1; j < segments.size(); j++) {
                requireApart(segments.get(i), segments.get(j));
            }
        }
        return (int) count;
    }

    private void requireApart(Segments one, Segments other) {
        if (one.overlap(other.first(), other.last()) > 0) {
            throw new ParameterException(
                    spec.commandLine(), "--segments names segment " + Math.max(one.first(), other.first()) + " twice");
        }
    }

    @Override
    public Integer call() throws StoreFailure {
        int count = count();
        var view = store.view();
        var receiver = Nodes.allocator(view, to);
        var known = view.namespace(namespace)
                .orElseThrow(() -> StoreFailure.refused("there is no namespace '" + namespace + "'"));
        if (segments.stream().anyMatch(some -> some.last() >= known.segmentCount())) {
            throw StoreFailure.refused("namespace '" + namespace + "' has segments 0 to " + (known.segmentCount() - 1));
        }
        if (!receiver.mayReceive()) {
            throw StoreFailure.refused(receiver.name()
                    + (receiver.renewed()
                            ? " is given nothing more: it drains, stops or was expelled"
                            : " has just begun and is given nothing yet; try again"));
        }
        var cluster = store.cluster();
        var move = new SegmentMove(
                known.id(),
                segments,
                receiver,
                (owner, some) -> store.order(
                        owner,
                        (caller, address) -> caller.handOver(address, cluster, owner.id(), receiver.id(), some)));
        move.begin(view, System.nanoTime());
        var done = until.noneIsLeft(store, move);
        output.print(
                spec.commandLine().getOut(),
                () -> receiver.name() + " owns these " + count + " segments",
                () -> new JsonObject()
                        .put("node", receiver.name())
                        .put("segments", count)
                        .put("version", Long.toString(done.version())));
        return ExitCode.OK;
    }
}
