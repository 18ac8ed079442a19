package io.seqsvr.cli.bench;

import java.util.concurrent.TimeUnit;

/**
 * How long it takes from the death of the leader until a write succeeds that was sent after it, and whether a session
 * keeps its lease meanwhile.
 */
final class LeaderChange {
    private LeaderChange() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var load = run.warmLoad(run.assignAll());
        run.line().act(load::beginWindow);
        var firstWrites = new Spread();
        for (int round = 1; round <= run.plan().rounds(); round++) {
            long nanos = killLeader(run, load);
            firstWrites.addNanos(nanos);
            run.tell(
                    "round %d of %d: first write after %.0f ms",
                    round, run.plan().rounds(), Spread.millis(nanos));
        }
        firstWrites.putInto(figures, "first_write", "first write after the kill");
        var session = run.line().session();
        figures.put("leases_lost", "leases lost", run.line().read(session::lost));
        figures.put(
                "lease_least_remaining_ms",
                "least that was left of the lease, ms",
                Spread.millis(run.line().read(session::leastRemainingNanos)));
        run.end(load, true, figures);
    }

    private static long killLeader(BenchRun run, RaiseLoad load) throws MeasuringFailed {
        int leader = run.awaitLeader();
        var node = run.peers().nodes().get(leader);
        long start = System.nanoTime();
        node.kill9();
        // Nothing that is sent from here on can reach the dead leader.
        long gone = System.nanoTime();
        long accepted = run.line()
                .ask(
                        "no write succeeded after the leader was killed",
                        () -> load.acceptedAfter(gone)
                                .timeout(PeerProcesses.READY_WITHIN.toSeconds(), TimeUnit.SECONDS));

        node.start();
        node.awaitReady(PeerProcesses.READY_WITHIN);
        // All are to vote again before the next one dies.
        var others = run.line().status(run.peers().addresses().get(run.awaitLeader()));
        run.await(
                node.name() + " did not catch up",
                () -> run.line()
                                .status(PeerProcesses.address(node))
                                .appliedIndex()
                                .orElse(-1)
                        >= others.appliedIndex().orElse(0));
        return accepted - start;
    }
}
