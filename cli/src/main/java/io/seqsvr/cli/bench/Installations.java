package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.LocalNode;
import java.util.List;

/**
 * The longest stall of commands while a peer gets a snapshot: one that does not lead is killed, and stays away until
 * the others have dropped what it lacks from their logs; then it is started. For comparison the longest stall while it
 * was away.
 */
final class Installations {
    /** By the second snapshot no file of the log is left whose entries the peer had. */
    private static final int SNAPSHOTS_OF_THE_OTHERS = 2;

    private static final String LOADED = "event=state_loaded";
    /** What it has on its own disk, and what it is sent. */
    private static final int LOADS = 2;

    private Installations() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var load = run.warmLoad(run.assignAll());
        var ready = new Spread();
        double stall = 0;
        double elsewhere = 0;
        int installed = 0;
        run.line().act(load::beginWindow);
        for (int round = 1; round <= run.plan().rounds(); round++) {
            var node = run.follower();
            node.kill9();
            run.line().read(load::takeLongestGapNanos);
            awaitSnapshots(run, node);
            elsewhere = Math.max(elsewhere, Spread.millis(run.line().read(load::takeLongestGapNanos)));

            long loaded = NodeLog.count(node, LOADED);
            long start = System.nanoTime();
            node.start();
            node.awaitReady(PeerProcesses.READY_WITHIN);
            ready.addNanos(System.nanoTime() - start);
            stall = Math.max(stall, Spread.millis(run.line().read(load::takeLongestGapNanos)));
            if (NodeLog.count(node, LOADED) - loaded >= LOADS) {
                installed++;
            }
            run.tell("round %d of %d: ready after %.0f ms", round, run.plan().rounds(), ready.last());
        }
        if (installed < run.plan().rounds()) {
            figures.inconclusive("only " + installed + " of " + run.plan().rounds()
                    + " times a peer needed a snapshot; the others had kept what it lacked");
        }
        figures.put("installed", "snapshots that were sent", installed);
        ready.putInto(figures, "ready", "ready again");
        figures.put("stall_ms", "longest stall from its start until then, ms", stall);
        figures.put("stall_elsewhere_ms", "longest stall while it was away, ms", elsewhere);
        run.putRates(run.line().read(load::window), figures);
        run.end(load, false, figures);
    }

    /** Waits until each of the others has taken so many more that its log begins after what this one has. */
    private static void awaitSnapshots(BenchRun run, LocalNode away) throws MeasuringFailed {
        var others =
                run.peers().nodes().stream().filter(node -> !node.equals(away)).toList();
        long before = least(others);
        for (int more = 1; more <= SNAPSHOTS_OF_THE_OTHERS; more++) {
            long wanted = before + more;
            run.await("another peer took no snapshot", () -> least(others) >= wanted);
        }
    }

    private static long least(List<LocalNode> nodes) throws MeasuringFailed {
        long least = Long.MAX_VALUE;
        for (var node : nodes) {
            least = Math.min(least, NodeLog.count(node, Snapshots.TAKEN));
        }
        return least;
    }
}
