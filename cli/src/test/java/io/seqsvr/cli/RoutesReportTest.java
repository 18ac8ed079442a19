package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who owns what, and what became of it, for people and for scripts. */
class RoutesReportTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 1_000, Long.MAX_VALUE);
    private static final RouteOwner A1 = new RouteOwner(1_024, "127.0.0.1:7721", "a1");
    private static final RouteOwner A2 = new RouteOwner(2_048, "127.0.0.1:7722", "a2");

    private static RoutePicture picture(long version, List<RouteOwner> owners, RouteRange... ranges) {
        return new RoutePicture(
                "cluster-1", version, List.of(MESSAGES), owners, new RouteTable(version, List.of(ranges)));
    }

    private static final RoutePicture BOTH =
            picture(3_072, List.of(A1, A2), new RouteRange(1, 0, 4, 1_024, 1), new RouteRange(1, 5, 9, 2_048, 1));
    private static final RoutePicture ONE =
            picture(4_096, List.of(A2), new RouteRange(1, 0, 4, 0, 1), new RouteRange(1, 5, 9, 2_048, 1));

    @Test
    void aTableOfOwnersAndOneOfRanges() {
        var report = new RoutesReport(BOTH);
        assertEquals("""
                cluster  cluster-1
                version  3072

                OWNER  ADDRESS         SESSION  SEGMENTS
                a1     127.0.0.1:7721     1024         5
                a2     127.0.0.1:7722     2048         5

                NAMESPACE  OWNER  FIRST  LAST  EPOCH
                messages   a1         0     4      1
                messages   a2         5     9      1""", report.text());
        assertEquals(ExitCode.OK, report.exitCode());
    }

    @Test
    void segmentsWithoutAnOwnerAreUnhealthy() {
        var report = new RoutesReport(ONE);
        assertEquals(ExitCode.UNHEALTHY, report.exitCode());
        assertEquals(
                "UNHEALTHY: 5 segments have no owner", report.text().lines().reduce("", (all, last) -> last));
        assertEquals(5L, report.json().getLong("without_owner"));
        assertEquals("-", report.json().getJsonArray("ranges").getJsonObject(0).getString("owner"));
        assertEquals(ExitCode.UNHEALTHY, new RoutesReport(picture(1_024, List.of())).exitCode());
    }

    @Test
    void scriptsGetTheSame() {
        assertEquals(
                "{\"cluster_id\":\"cluster-1\",\"version\":\"3072\",\"without_owner\":0,\"owners\":["
                        + "{\"name\":\"a1\",\"address\":\"127.0.0.1:7721\","
                        + "\"session\":\"1024\",\"segments\":5},"
                        + "{\"name\":\"a2\",\"address\":\"127.0.0.1:7722\","
                        + "\"session\":\"2048\",\"segments\":5}],"
                        + "\"ranges\":[{\"namespace\":\"messages\","
                        + "\"first\":0,\"last\":4,\"owner\":\"a1\",\"epoch\":\"1\"},"
                        + "{\"namespace\":\"messages\",\"first\":5,\"last\":9,\"owner\":\"a2\",\"epoch\":\"1\"}]}",
                new RoutesReport(BOTH).json().encode());
    }

    @Test
    void whoWatchesReadsALineForEachThingThatChanged() {
        assertEquals(
                List.of(
                        "version=4096 what=owner_gone owner=a1 address=127.0.0.1:7721 session=1024",
                        "version=4096 what=segments namespace=messages first=0 last=4 owner=- address=- epoch=1"),
                new RoutesNews(BOTH, ONE).lines());
        var after = picture(5_120, List.of(A2), new RouteRange(1, 0, 4, 2_048, 2), new RouteRange(1, 5, 9, 2_048, 1));
        assertEquals(
                List.of("version=5120 what=segments namespace=messages first=0 last=4 owner=a2 "
                        + "address=127.0.0.1:7722 epoch=2"),
                new RoutesNews(ONE, after).lines());
        assertEquals(
                List.of(
                        "{\"version\":\"3072\",\"what\":\"namespace_created\","
                                + "\"namespace\":\"messages\",\"segments\":10}",
                        "{\"version\":\"3072\",\"what\":\"owner_joined\",\"owner\":\"a1\","
                                + "\"address\":\"127.0.0.1:7721\",\"session\":\"1024\"}"),
                new RoutesNews(RoutePicture.empty(""), BOTH).json().subList(0, 2));
        assertEquals(List.of(), new RoutesNews(after, after).lines());
    }
}
