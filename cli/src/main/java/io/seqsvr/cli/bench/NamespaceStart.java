package io.seqsvr.cli.bench;

/** How long it takes to assign a namespace of 2^32 users, on peers that were just started. */
final class NamespaceStart {
    private NamespaceStart() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var assigned = run.assignAll();
        figures.put("assigned_ms", "all segments assigned, ms", Spread.millis(assigned.nanos()));
        figures.put("plans", "plans", assigned.plans());
    }
}
