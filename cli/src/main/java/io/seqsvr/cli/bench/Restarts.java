package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.LocalNode;

/**
 * How long a peer takes from its start after a kill until it is ready, and until it has every segment again; without
 * segments first, for comparison.
 */
final class Restarts {
    private Restarts() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var emptyReady = new Spread();
        rounds(run, "without segments", 0, emptyReady, new Spread());
        run.assignAll();
        var ready = new Spread();
        var loaded = new Spread();
        rounds(run, "with all segments", BenchPlan.SEGMENTS, ready, loaded);
        emptyReady.putInto(figures, "empty_ready", "ready, without segments");
        ready.putInto(figures, "ready", "ready, with all segments");
        loaded.putInto(figures, "loaded", "all segments there");
        figures.put(
                "reload_adds_ms", "what the segments add to ready, median ms", ready.median() - emptyReady.median());
    }

    private static void rounds(BenchRun run, String what, int segments, Spread ready, Spread loaded)
            throws MeasuringFailed {
        for (int round = 1; round <= run.plan().rounds(); round++) {
            var node = run.follower();
            run.await(node.name() + " does not hold what is assigned", () -> holds(run, node, segments));
            node.kill9();
            long start = System.nanoTime();
            node.start();
            node.awaitReady(PeerProcesses.READY_WITHIN);
            ready.addNanos(System.nanoTime() - start);
            run.await(node.name() + " did not load what is assigned", () -> holds(run, node, segments));
            loaded.addNanos(System.nanoTime() - start);
            run.tell("round %d of %d %s: ready after %.0f ms", round, run.plan().rounds(), what, ready.last());
        }
    }

    private static boolean holds(BenchRun run, LocalNode node, int segments) throws MeasuringFailed {
        return run.line().status(PeerProcesses.address(node)).segments() == segments;
    }
}
