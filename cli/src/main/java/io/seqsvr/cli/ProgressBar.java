package io.seqsvr.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Shows on stderr how far something is: a bar on a terminal, now and then a line elsewhere. */
final class ProgressBar {
    private static final int WIDTH = 30;
    private static final long BAR_MILLIS = 200;
    private static final long LINE_MILLIS = 10_000;

    private final DoubleSupplier progress;
    private final Supplier<String> words;
    private final PrintWriter err;
    /** Told by the launcher: Java 17 cannot ask about stderr alone. */
    private final boolean terminal = Boolean.getBoolean("seqsvr.terminal");

    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Shows nothing yet.
     *
     * @param progress from 0 to 1
     * @param words what stands behind the bar
     */
    ProgressBar(DoubleSupplier progress, Supplier<String> words, PrintWriter err) {
        this.progress = progress;
        this.words = words;
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
        double done = progress.getAsDouble();
        int full = (int) (done * WIDTH);
        var bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "]";
        var line = String.format(Locale.ROOT, "%s %3.0f %%  %s", bar, 100 * done, words.get());
        if (terminal) {
            err.print("\r" + line + "\u001b[K");
        } else {
            err.println(line);
        }
        err.flush();
    }
}
