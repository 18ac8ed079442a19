package io.seqsvr.cli.bench;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be measured, of which peers and under which load.
 *
 * @param scenario what
 * @param peers StoreSvr peers
 * @param concurrency Raise commands under way
 * @param batch segments of each of them
 * @param seconds how long is measured, in seconds
 * @param warmUpSeconds for how long the same load runs before, in seconds
 * @param rounds how often that is done which takes no fixed time
 * @param parent where the directory of the peers is made
 */
public record BenchPlan(
        Scenario scenario,
        int peers,
        int concurrency,
        int batch,
        int seconds,
        int warmUpSeconds,
        int rounds,
        Path parent) {
    /** What the peers hold: a namespace of 2^32 users. */
    static final int SEGMENTS = Namespace.ofDefaults(1, "default").segmentCount();

    private static final int MOST_PEERS = 9;
    private static final int LONGEST = 3_600;
    private static final int MOST_ROUNDS = 1_000;
    /** Fewer have no majority while one is dead. */
    private static final int FAIL_OVER_FROM = 3;

    /** Why this cannot be measured, one line each; empty if it can. */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        within("--peers", peers, 1, MOST_PEERS, problems);
        within("--concurrency", concurrency, 1, SEGMENTS, problems);
        within("--batch", batch, 1, StoreCommand.MAX_SEGMENTS, problems);
        within("--seconds", seconds, 1, LONGEST, problems);
        within("--warm-up", warmUpSeconds, 0, LONGEST, problems);
        within("--rounds", rounds, 1, MOST_ROUNDS, problems);
        long raisedAtOnce = (long) concurrency * batch;
        if (problems.isEmpty() && raisedAtOnce > SEGMENTS) {
            problems.add("--concurrency " + concurrency + " with --batch " + batch + " raises " + raisedAtOnce
                    + " segments at once; there are " + SEGMENTS);
        }
        boolean leavesOneOut = scenario == Scenario.LEADER_CHANGE || scenario == Scenario.INSTALL;
        if (leavesOneOut && peers < FAIL_OVER_FROM) {
            problems.add("--peers is " + peers + "; the others go on without one from " + FAIL_OVER_FROM + " peers on");
        }
        if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
            problems.add("--dir is " + parent + "; it must be a directory that can be written");
        }
        return problems;
    }

    private static void within(String option, int value, int least, int most, List<String> problems) {
        if (value < least || value > most) {
            problems.add(option + " is " + value + "; it must be from " + least + " to " + most);
        }
    }
}
