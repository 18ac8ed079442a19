package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.LocalNode;
import java.time.Duration;

/**
 * How long a peer takes from its start after a kill until it is ready, and until it has every segment again: without
 * segments first, for comparison; then with those that are in the log only, as they were just assigned; and with those
 * of a snapshot, which a peer takes when it is stopped.
 */
final class Restarts {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);

    private final BenchRun run;

    private Restarts(BenchRun run) {
        this.run = run;
    }

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        new Restarts(run).measure(figures);
    }

    private void measure(Figures figures) throws MeasuringFailed {
        var emptyReady = new Spread();
        var empty = new Spread();
        rounds("without segments", 0, false, emptyReady, empty);
        run.assignAll();
        var ready = new Spread();
        var loaded = new Spread();
        rounds("with all segments in the log", BenchPlan.SEGMENTS, false, ready, loaded);
        var snapshotReady = new Spread();
        var snapshotLoaded = new Spread();
        rounds("with all segments in a snapshot", BenchPlan.SEGMENTS, true, snapshotReady, snapshotLoaded);
        emptyReady.putInto(figures, "empty_ready", "ready, without segments");
        ready.putInto(figures, "ready", "ready, with all segments");
        loaded.putInto(figures, "loaded", "all segments there");
        snapshotReady.putInto(figures, "snapshot_ready", "ready, from a snapshot");
        snapshotLoaded.putInto(figures, "snapshot_loaded", "all segments there, from a snapshot");
        figures.put("reload_adds_ms", "what segments of the log add, median ms", loaded.median() - empty.median());
        figures.put(
                "snapshot_adds_ms",
                "what segments of a snapshot add, median ms",
                snapshotLoaded.median() - empty.median());
    }

    private void rounds(String what, int segments, boolean snapshot, Spread ready, Spread loaded)
            throws MeasuringFailed {
        for (int round = 1; round <= run.plan().rounds(); round++) {
            var node = run.follower();
            awaitLoaded(node, segments);
            if (snapshot) {
                node.stop(STOPS_WITHIN);
                node.start();
                node.awaitReady(PeerProcesses.READY_WITHIN);
                awaitLoaded(node, segments);
            }
            node.kill9();
            long start = System.nanoTime();
            node.start();
            node.awaitReady(PeerProcesses.READY_WITHIN);
            ready.addNanos(System.nanoTime() - start);
            awaitLoaded(node, segments);
            loaded.addNanos(System.nanoTime() - start);
            run.tell("round %d of %d %s: ready after %.0f ms", round, run.plan().rounds(), what, ready.last());
        }
    }

    private void awaitLoaded(LocalNode node, int segments) throws MeasuringFailed {
        run.await(
                node.name() + " did not load what is assigned",
                () -> run.line().status(PeerProcesses.address(node)).segments() == segments);
    }
}
