package io.seqsvr.cli.bench;

/** How many Raise commands are taken, and how soon each is answered. */
final class Raises {
    private Raises() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var load = run.warmLoad(run.assignAll());
        run.tell("measuring");
        run.line().act(load::beginWindow);
        run.run(load, run.plan().seconds());
        var window = run.line().read(load::window);
        run.putRates(window, figures);
        run.end(load, false, figures);
    }
}
