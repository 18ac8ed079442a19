package io.seqsvr.cli;

import io.seqsvr.chaos.sim.Campaign;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows on stderr how far a simulation is: a bar on a terminal, now and then a line elsewhere. */
final class SimProgress {
    private static final int WIDTH = 30;
    private static final long BAR_MILLIS = 200;
    private static final long LINE_MILLIS = 10_000;

    private final Campaign campaign;
    private final PrintWriter err;
    /** Told by the launcher: Java 17 cannot ask about stderr alone. */
    private final boolean terminal = Boolean.getBoolean("seqsvr.terminal");

    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    SimProgress(Campaign campaign, PrintWriter err) {
        this.campaign = campaign;
        this.err = err;
    }

    void start() {
        long period = terminal ? BAR_MILLIS : LINE_MILLIS;
        var unused = ticker.scheduleAtFixedRate(this::show, period, period, TimeUnit.MILLISECONDS);
    }

    void stop() {
        ticker.shutdownNow();
        if (terminal) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }

    private void show() {
        var tally = campaign.soFar();
        int full = (int) (campaign.progress() * WIDTH);
        var bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "]";
        var line = String.format(
                Locale.ROOT,
                "%s %3.0f %%  %,.0f h  %,d operations  %,d changes of owner  %,d faults",
                bar,
                100 * campaign.progress(),
                tally.hours(),
                tally.operations(),
                tally.ownerChanges(),
                tally.faults());
        if (terminal) {
            err.print("\r" + line + "\u001b[K");
        } else {
            err.println(line);
        }
        err.flush();
    }
}
