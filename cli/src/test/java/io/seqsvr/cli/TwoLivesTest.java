package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A majority of a former life came back beside the restored cluster: commands go to neither. */
@Timeout(60)
final class TwoLivesTest {
    private static final String APART =
            "peers of two lives of the cluster answer, and the older one takes commands: n2 is of incarnation 0,"
                    + " n1 of incarnation 1; stop every peer of the older one, for good";

    @TempDir
    private Path directory = Path.of("");

    private final Vertx vertx = NodeServer.newVertx();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private HostPort leader(String id, int incarnation, long term) {
        var status = StatusReply.newBuilder()
                .setPeerId(id)
                .setClusterId("0f1e2d3c-0000-4000-8000-000000000001")
                .setIncarnation(incarnation)
                .setTerm(term)
                .setLeads(true)
                .setReady(true)
                .build();
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return NodeServer.onContext(
                        vertx.getOrCreateContext(),
                        () -> new NodeServer.Builder(vertx, registry, "storesvr")
                                .method(StoreRpc.STATUS, (request, timeout, caller) -> Future.succeededFuture(status))
                                .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                .await()
                .address();
    }

    private int seqsvr(String... words) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }

    @Test
    void nothingIsAskedOfThemAndTheStatusSaysWhy() {
        var store = leader("n2", 0, 17) + "," + leader("n1", 1, 2);
        assertEquals(ExitCode.FAILED, seqsvr("namespace", "list", "--store", store));
        assertEquals("seqsvr: " + APART, err.toString().trim());
        assertEquals(ExitCode.UNHEALTHY, seqsvr("store", "status", "--store", store));
        assertTrue(out.toString().contains("UNHEALTHY: " + APART), out::toString);
    }

    @Test
    void noneIsBackedUp() {
        var backup = directory.resolve("backup");
        var store = leader("n2", 0, 17) + "," + leader("n1", 1, 2);
        assertEquals(ExitCode.UNAVAILABLE, seqsvr("store", "backup", backup.toString(), "--store", store));
        assertEquals("seqsvr: " + APART, err.toString().trim());
        assertFalse(Files.exists(backup));
    }
}
