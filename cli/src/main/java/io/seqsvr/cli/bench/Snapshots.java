package io.seqsvr.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The longest stall of commands while snapshots are taken: the longest time without an accepted command from shortly
 * before a peer says that it took one to shortly after, and for comparison the longest elsewhere.
 */
final class Snapshots {
    private static final Duration SLICE = Duration.ofMillis(50);
    /** A second before the word of a snapshot, and a quarter of one after. */
    private static final int SLICES_BEFORE = 20;

    private static final int SLICES_AFTER = 5;
    private static final Duration SNAPSHOT_WITHIN = Duration.ofMinutes(3);
    /** What a peer says of each. */
    static final String TAKEN = "event=snapshot_taken";

    private Snapshots() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        var load = run.warmLoad(run.assignAll());
        var before = taken(run);
        run.tell("measuring until each peer took %d snapshots", run.plan().rounds());
        run.line().act(load::beginWindow);
        var slices = new ArrayList<Long>();
        var words = new ArrayList<Integer>();
        var seen = before.clone();
        long lastAt = System.nanoTime();
        while (least(seen, before) < run.plan().rounds() && System.nanoTime() - lastAt < SNAPSHOT_WITHIN.toNanos()) {
            run.line().pause(SLICE);
            slices.add(run.line().read(load::takeLongestGapNanos));
            var now = taken(run);
            if (!Arrays.equals(now, seen)) {
                lastAt = System.nanoTime();
                seen = now;
                words.add(slices.size() - 1);
                run.tell("snapshots of each peer: %s", Arrays.toString(since(before, now)));
            }
        }
        for (int i = 0; i < SLICES_AFTER; i++) {
            run.line().pause(SLICE);
            slices.add(run.line().read(load::takeLongestGapNanos));
        }
        if (least(seen, before) < run.plan().rounds()) {
            figures.inconclusive("a peer took no snapshot within " + SNAPSHOT_WITHIN.toSeconds()
                    + " s; more commands under way make it sooner");
        }
        var near = near(words, slices.size());
        figures.put(
                "snapshots",
                "snapshots of all peers",
                Arrays.stream(since(before, seen)).sum());
        figures.put("stall_ms", "longest stall while one was taken, ms", longest(slices, near, true));
        figures.put("stall_elsewhere_ms", "longest stall elsewhere, ms", longest(slices, near, false));
        run.putRates(run.line().read(load::window), figures);
        run.end(load, false, figures);
    }

    /** Which slices lie beside a word of a snapshot. */
    static boolean[] near(List<Integer> words, int slices) {
        var near = new boolean[slices];
        for (int word : words) {
            Arrays.fill(near, Math.max(0, word - SLICES_BEFORE), Math.min(slices, word + SLICES_AFTER + 1), true);
        }
        return near;
    }

    /** The longest of the slices that lie beside a snapshot, or of the others, in milliseconds; 0 without any. */
    static double longest(List<Long> slices, boolean[] near, boolean wanted) {
        long longest = 0;
        for (int i = 0; i < slices.size(); i++) {
            longest = near[i] == wanted ? Math.max(longest, slices.get(i)) : longest;
        }
        return Spread.millis(longest);
    }

    private static long[] since(long[] before, long[] now) {
        var since = now.clone();
        Arrays.setAll(since, i -> now[i] - before[i]);
        return since;
    }

    private static long least(long[] now, long[] before) {
        return Arrays.stream(since(before, now)).min().orElse(0);
    }

    /** How many each peer has told of in its life. */
    private static long[] taken(BenchRun run) throws MeasuringFailed {
        var nodes = run.peers().nodes();
        var taken = new long[nodes.size()];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = NodeLog.count(nodes.get(i), TAKEN);
        }
        return taken;
    }
}
