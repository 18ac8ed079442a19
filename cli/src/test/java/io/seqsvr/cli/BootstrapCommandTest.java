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
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of which cluster a new peer becomes, and when it is not formatted. */
@Timeout(60)
final class BootstrapCommandTest {
    private static final String ONE = "0f1e2d3c-0000-4000-8000-000000000001";
    private static final String ANOTHER = "0f1e2d3c-0000-4000-8000-000000000002";

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path data() {
        return directory.resolve("data");
    }

    /** Of two peers, with one more line of settings. */
    private int bootstrap(HostPort other, String line, String... options) throws IOException {
        return bootstrapWith("""
                other_peers:
                  - peer: n2
                    listen: %s
                    raft: 127.0.0.1:4
                %s
                """.formatted(other, line), options);
    }

    private int bootstrapWith(String more, String... options) throws IOException {
        var config = Files.writeString(directory.resolve("n1.yaml"), """
                data: %s
                peer: n1
                listen: 127.0.0.1:1
                raft: 127.0.0.1:2
                %s""".formatted(data(), more));
        var words = new ArrayList<>(List.of("store", "bootstrap", "--config", config.toString()));
        words.addAll(List.of(options));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words.toArray(String[]::new));
    }

    private int bootstrapAlone(String line, String... options) throws IOException {
        return bootstrap(new HostPort("127.0.0.1", 3), line, options);
    }

    @Test
    void theClusterOfTheSettingsIsTheClusterOfThePeer() throws IOException {
        assertEquals(ExitCode.OK, bootstrapAlone("cluster_id: " + ONE), err::toString);
        assertEquals(ONE, out.toString().trim());
    }

    @Test
    void settingsAndOptionNameTheSameCluster() throws IOException {
        assertEquals(ExitCode.FAILED, bootstrapAlone("cluster_id: " + ONE, "--cluster-id", ANOTHER));
        assertEquals(
                "seqsvr: n1 was not formatted: its settings name cluster " + ONE + ", --cluster-id names " + ANOTHER,
                err.toString().trim());
        assertFalse(Files.exists(data()));
        assertEquals(ExitCode.OK, bootstrapAlone("cluster_id: " + ONE, "--cluster-id", ONE), err::toString);
    }

    /** Three of them would be three groups of one, and the id would let an AllocSvr move from one to the other. */
    @ParameterizedTest
    @ValueSource(strings = {"", "other_peers: []\n", "cluster_id: " + ONE + "\n"})
    void aPeerThatIsGivenTheIdOfAnotherNamesThatOne(String settings) throws IOException {
        assertEquals(ExitCode.FAILED, bootstrapWith(settings, "--cluster-id", ONE));
        assertTrue(
                err.toString()
                        .startsWith("seqsvr: n1 was not formatted: a cluster " + ONE
                                + " may live, and 'other_peers' of its settings names none of it"),
                err::toString);
        assertEquals(ExitCode.FAILED, bootstrapWith(settings, "--cluster-id", ONE, "--never-started"));
        assertFalse(Files.exists(data()));
    }

    /** It may have lost its data; and the settings may be those of one of three such peers. */
    @Test
    void theOnlyPeerOfAClusterWhoseIdIsStatedIsFormattedOnceOnly() throws IOException {
        assertEquals(ExitCode.FAILED, bootstrapWith("cluster_id: " + ONE + "\n"));
        assertTrue(err.toString().contains("with --never-started"), err::toString);
        assertFalse(Files.exists(data()));
        assertEquals(ExitCode.OK, bootstrapWith("cluster_id: " + ONE + "\n", "--never-started"), err::toString);
        assertEquals(ONE, out.toString().trim());
    }

    @Test
    void theOnlyPeerOfAClusterDrawsItsId() throws IOException {
        assertEquals(ExitCode.OK, bootstrapWith(""), err::toString);
        assertTrue(Files.exists(data()));
    }

    @Test
    void whatIsNoIdIsRefusedInTheSettingsToo() throws IOException {
        assertEquals(ExitCode.FAILED, bootstrapAlone("cluster_id: mine"));
        assertEquals(
                "seqsvr: n1 was not formatted: 'cluster_id' of its settings is 'mine'; it must be a UUID as the first"
                        + " peer's bootstrap prints it",
                err.toString().trim());
        assertFalse(Files.exists(data()));
    }

    @Test
    void whoWasNeverStartedIsOfACluster() throws IOException {
        assertEquals(ExitCode.USAGE, bootstrapAlone("", "--never-started"));
        assertTrue(
                err.toString().startsWith("seqsvr: --never-started needs the id of the cluster that has begun"),
                err::toString);
        assertFalse(Files.exists(data()));
    }

    /** It would be a peer that lost its data, of which the others may rely on what it had. */
    @Test
    void whereTheClusterOfTheSettingsLivesNoPeerOfItIsFormatted() throws IOException {
        var vertx = NodeServer.newVertx();
        try {
            var status = StatusReply.newBuilder()
                    .setPeerId("n2")
                    .setClusterId(ONE)
                    .setIncarnation(0)
                    .build();
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            var living = NodeServer.onContext(
                            vertx.getOrCreateContext(),
                            () -> new NodeServer.Builder(vertx, registry, "storesvr")
                                    .method(
                                            StoreRpc.STATUS,
                                            (request, timeout, caller) -> Future.succeededFuture(status))
                                    .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                    .await();
            assertEquals(ExitCode.FAILED, bootstrap(living.address(), "cluster_id: " + ONE));
            assertTrue(err.toString().contains("cluster " + ONE + " lives already"), err::toString);
            assertFalse(Files.exists(data()));
            assertEquals(
                    ExitCode.OK, bootstrap(living.address(), "cluster_id: " + ONE, "--never-started"), err::toString);
        } finally {
            vertx.close().await();
        }
    }
}
