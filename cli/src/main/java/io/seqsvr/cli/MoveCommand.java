package io.seqsvr.cli;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreView;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
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
    /** Neighbouring segments. */
    record Segments(int first, int last) {
        private int size() {
            return last - first + 1;
        }

        private int overlap(int from, int to) {
            return Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
        }
    }

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
        order(view, known.id(), receiver);
        var done = until.noneIsLeft(
                store, seen -> elsewhere(seen, known.id(), receiver.id()), "are not at " + receiver.name() + " yet");
        output.print(
                spec.commandLine().getOut(),
                () -> receiver.name() + " owns these " + count + " segments",
                () -> new JsonObject()
                        .put("node", receiver.name())
                        .put("segments", count)
                        .put("version", Long.toString(done.version())));
        return ExitCode.OK;
    }

    /** Each owner hands over what it has of them. */
    private void order(StoreView view, int namespaceId, StoreView.Member receiver) throws StoreFailure {
        var cluster = store.cluster();
        var wanted = new TreeMap<Long, List<RouteRange>>();
        for (var range : view.routes().ranges()) {
            if (range.namespaceId() == namespaceId && range.owner() != receiver.id()) {
                var cut = cut(range);
                if (!cut.isEmpty()) {
                    wanted.computeIfAbsent(range.owner(), first -> new ArrayList<>())
                            .addAll(cut);
                }
            }
        }
        for (var some : wanted.entrySet()) {
            var owner = view.session(some.getKey());
            if (owner.isPresent()) {
                var address = Nodes.address(owner.get());
                store.order(
                        address,
                        allocator ->
                                allocator.handOver(address, cluster, some.getKey(), receiver.id(), some.getValue()));
            }
        }
    }

    /** What of a range is to move. */
    private List<RouteRange> cut(RouteRange range) {
        return segments.stream()
                .filter(some -> some.overlap(range.first(), range.last()) > 0)
                .map(some -> new RouteRange(
                        range.namespaceId(),
                        Math.max(range.first(), some.first()),
                        Math.min(range.last(), some.last()),
                        range.owner(),
                        range.epoch()))
                .toList();
    }

    /** How many of them the receiver does not own. */
    private long elsewhere(StoreView view, int namespaceId, long receiver) {
        long elsewhere = 0;
        for (var some : segments) {
            elsewhere += some.size();
            for (var range : view.routes().ranges()) {
                elsewhere -= range.owner() == receiver && range.namespaceId() == namespaceId
                        ? some.overlap(range.first(), range.last())
                        : 0;
            }
        }
        return elsewhere;
    }
}
