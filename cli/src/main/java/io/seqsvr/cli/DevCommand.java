package io.seqsvr.cli;

import io.seqsvr.allocsvr.AllocSvr;
import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.router.Router;
import io.seqsvr.router.RouterSettings;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a whole seqsvr in one process, for trying out and for development. */
@Command(
        name = "dev",
        description = {
            "Runs StoreSvr with one peer, AllocSvr and router in this process, on loopback. Data survives restarts.",
            "gRPC, JSON, health and metrics are on the one port."
        })
final class DevCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String PEER = "dev";
    private static final String ROUTER = "dev-router";
    private static final long READY_TIMEOUT_SECONDS = 60;
    private static final long READY_POLL_MILLIS = 10;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "seqsvr-data/dev",
            description = "Data directory; formatted when it is empty (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("seqsvr-data/dev");

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "7700",
            description = "Port on loopback; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port = 7700;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = TimeConverter.class,
            description = "Time to live of leases, from 500ms to 1m; a data directory keeps the one with which it was"
                    + " formatted (default: ${DEFAULT-VALUE}).")
    private Duration ttl = Duration.ofSeconds(1);

    @Override
    public Integer call() throws StartupException, InterruptedException {
        var process = new NodeProcess();
        process.closeOnSignal();
        Addresses addresses;
        try {
            addresses = start(process);
        } catch (StartupException | RuntimeException failed) {
            process.close();
            throw failed;
        }
        process.tellsThatItRuns();
        welcome(spec.commandLine().getOut(), addresses);
        NodeProcess.awaitSignal();
        return ExitCode.OK;
    }

    /** What people and programs ask, and what operators do. */
    private record Addresses(HostPort router, HostPort store) {}

    private Addresses start(NodeProcess process) throws StartupException {
        var listen = frontDoor();
        var lease = lease();
        formatIfEmpty(lease);
        var store = StoreSvr.start(process.newLoop(), storeSettings(lease), process.registry(), process::fatal);
        process.started(store::close);

        var storeAddresses = List.of(store.address());
        var allocator = AllocSvr.start(
                process.newLoop(),
                new AllocSvrSettings(
                        PEER,
                        new HostPort(LOOPBACK, 0),
                        Optional.empty(),
                        storeAddresses,
                        AllocSvrSettings.DEFAULT_STORE_TIMEOUT,
                        AllocSvrSettings.DEFAULT_MAX_WAITING,
                        AllocSvrSettings.partOfHeap(AllocSvrSettings.DEFAULT_COUNTER_PERCENT)),
                process.registry(),
                process::fatal);
        process.started(allocator::close);

        var loop = process.newLoop();
        var router = Router.start(
                loop,
                new RouterSettings(
                        Optional.of(ROUTER),
                        listen,
                        Optional.empty(),
                        storeAddresses,
                        RouterSettings.DEFAULT_STORE_TIMEOUT),
                process.registry());
        process.started(router::close);
        awaitReady(loop, router);
        return new Addresses(router.address(), store.address());
    }

    /** The port is looked at before anything is started or formatted, so that a taken one is told at once. */
    private HostPort frontDoor() throws StartupException {
        if (port < 0 || port > 65_535) {
            throw new StartupException("--port is " + port + "; it must be from 0 to 65535");
        }
        try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort(LOOPBACK, port == 0 ? 0 : probe.getLocalPort());
        } catch (IOException taken) {
            throw new StartupException(
                    "port " + port + " on " + LOOPBACK + " is in use; stop what uses it or choose another with --port");
        }
    }

    private LeaseTerms lease() throws StartupException {
        var problems = LeaseTerms.problems(ttl.toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE);
        if (!problems.isEmpty()) {
            throw new StartupException("--ttl: " + String.join("; ", problems));
        }
        return new LeaseTerms(ttl.toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE);
    }

    private void formatIfEmpty(LeaseTerms lease) throws StartupException {
        if (DataDirectory.inspect(data) == DataDirectory.Content.HALF_FORMATTED) {
            // The first start was cut short before anything was served; whoever runs dev wants it to go on.
            DataDirectory.discardHalfFormatted(data);
        }
        if (DataDirectory.inspect(data) == DataDirectory.Content.NOTHING) {
            var bootstrap = new StoreSvrSettings.Bootstrap(lease, List.of(Namespace.ofDefaults(1, "default")));
            StoreSvr.format(data, UUID.randomUUID().toString(), PEER, bootstrap);
        }
    }

    private StoreSvrSettings storeSettings(LeaseTerms lease) {
        var anyPort = new HostPort(LOOPBACK, 0);
        var self = new RaftPeers.Peer(PEER, anyPort, anyPort);
        return new StoreSvrSettings(
                data,
                Optional.empty(),
                new RaftPeers(PEER, List.of(self)),
                new StoreSvrSettings.Bootstrap(lease, List.of()));
    }

    private static void awaitReady(Vertx loop, Router router) throws StartupException {
        Promise<Void> ready = Promise.promise();
        long timer = loop.setPeriodic(
                0,
                READY_POLL_MILLIS,
                fired -> router.healthy().onSuccess(healthy -> {
                    if (healthy) {
                        ready.tryComplete();
                    }
                }));
        try {
            ready.future().timeout(READY_TIMEOUT_SECONDS, TimeUnit.SECONDS).await();
        } catch (RuntimeException defect) {
            throw defect;
        } catch (Throwable late) { // await() throws checked causes undeclared
            throw new StartupException(
                    "not ready after " + READY_TIMEOUT_SECONDS + " s; the log above says how far it came");
        } finally {
            loop.cancelTimer(timer);
        }
    }

    private void welcome(PrintWriter out, Addresses addresses) {
        var address = addresses.router();
        var endpoint = address.port() == 7700 ? "" : " --endpoint " + address;
        out.println("seqsvr dev is ready on " + address + " (data in " + data + ")");
        out.println();
        out.println("Try in another terminal:");
        out.println("  ./seqsvr next 42" + endpoint);
        out.println("  ./seqsvr next 42 --count 10" + endpoint);
        out.println("  ./seqsvr current 42" + endpoint);
        out.println("  curl -X POST http://" + address + "/v1/namespaces/default/users/42:next");
        out.println("  curl http://" + address + "/v1/namespaces/default/users/42");
        out.println("  curl http://" + address + "/metrics");
        out.println("  ./seqsvr namespace create orders --keying hashed --store " + addresses.store());
        out.println("  ./seqsvr status --store " + addresses.store());
        out.println();
        out.println("Ctrl-C stops it; the data stays.");
        out.flush();
    }
}
