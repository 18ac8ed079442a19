package io.seqsvr.cli;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Who owns what, for people and for scripts. */
final class RoutesReport {
    /** In place of an owner's name and address where nobody has the segments. */
    static final String NOBODY = "-";

    private static final List<String> OWNER_COLUMNS = List.of("OWNER", "ADDRESS", "SESSION", "SEGMENTS");
    private static final List<String> RANGE_COLUMNS = List.of("NAMESPACE", "OWNER", "FIRST", "LAST", "EPOCH");
    private static final int FIRST_NUMBER = 2;

    private final RoutePicture picture;

    RoutesReport(RoutePicture picture) {
        this.picture = picture;
    }

    int exitCode() {
        return withoutOwner() == 0 ? ExitCode.OK : ExitCode.UNHEALTHY;
    }

    private long withoutOwner() {
        long all =
                picture.namespaces().stream().mapToLong(Namespace::segmentCount).sum();
        return all - picture.owners().stream().mapToLong(this::segmentsOf).sum();
    }

    private long segmentsOf(RouteOwner owner) {
        return picture.routes().ranges().stream()
                .filter(range -> range.owner() == owner.session())
                .mapToLong(RouteRange::size)
                .sum();
    }

    private String owner(RouteRange range) {
        return picture.owner(range.owner()).map(RouteOwner::name).orElse(NOBODY);
    }

    private String namespace(RouteRange range) {
        return nameOf(picture, range.namespaceId());
    }

    /** The name of a namespace, or its number where the picture does not name it. */
    static String nameOf(RoutePicture picture, int namespaceId) {
        return picture.namespaces().stream()
                .filter(namespace -> namespace.id() == namespaceId)
                .findFirst()
                .map(Namespace::name)
                .orElse(Integer.toString(namespaceId));
    }

    String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add("cluster  " + picture.clusterId());
        lines.add("version  " + picture.version());
        lines.add("");
        var owners = new ArrayList<List<String>>();
        owners.add(OWNER_COLUMNS);
        for (var owner : picture.owners()) {
            owners.add(List.of(
                    owner.name(), owner.address(), Long.toString(owner.session()), Long.toString(segmentsOf(owner))));
        }
        Columns.lines(owners, FIRST_NUMBER).forEach(lines::add);
        lines.add("");
        var ranges = new ArrayList<List<String>>();
        ranges.add(RANGE_COLUMNS);
        for (var range : picture.routes().ranges()) {
            ranges.add(List.of(
                    namespace(range),
                    owner(range),
                    Integer.toString(range.first()),
                    Integer.toString(range.last()),
                    Long.toString(range.epoch())));
        }
        Columns.lines(ranges, FIRST_NUMBER).forEach(lines::add);
        if (withoutOwner() > 0) {
            lines.add("");
            lines.add("UNHEALTHY: " + withoutOwner() + " segments have no owner");
        }
        return lines.toString();
    }

    JsonObject json() {
        var owners = new JsonArray();
        for (var owner : picture.owners()) {
            owners.add(new JsonObject()
                    .put("name", owner.name())
                    .put("address", owner.address())
                    .put("session", Long.toString(owner.session()))
                    .put("segments", segmentsOf(owner)));
        }
        var ranges = new JsonArray();
        for (var range : picture.routes().ranges()) {
            ranges.add(new JsonObject()
                    .put("namespace", namespace(range))
                    .put("first", range.first())
                    .put("last", range.last())
                    .put("owner", owner(range))
                    .put("epoch", Long.toString(range.epoch())));
        }
        return new JsonObject()
                .put("cluster_id", picture.clusterId())
                .put("version", Long.toString(picture.version()))
                .put("without_owner", withoutOwner())
                .put("owners", owners)
                .put("ranges", ranges);
    }
}
