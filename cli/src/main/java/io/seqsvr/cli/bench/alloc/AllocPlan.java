package io.seqsvr.cli.bench.alloc;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param mode how sequences are asked for
 * @param namespace name of the namespace
 * @param users the uids from 0 on that are called
 * @param skew how often each of them
 * @param concurrency requests under way on each connection, or calls of each thread of a CLIENT
 * @param connections to each owner; threads of a CLIENT
 * @param batch calls in a frame
 * @param rate calls per second that are due; 0: as many as can be
 * @param warmUpSeconds for how long the same load runs before
 * @param seconds of each window
 * @param windows how many are measured, one after the other
 * @param viaRouter whether everything goes to the endpoint, and not to the owners
 */
public record AllocPlan(
        Mode mode,
        String namespace,
        int users,
        Skew skew,
        int concurrency,
        int connections,
        int batch,
        long rate,
        int warmUpSeconds,
        int seconds,
        int windows,
        boolean viaRouter) {
    /** What a checker, and the tables of a skew, hold in the memory of this process. */
    private static final int MOST_USERS = 20_000_000;

    private static final int MOST_UNDER_WAY = 10_000;
    private static final int MOST_CONNECTIONS = 64;
    private static final int MOST_PER_FRAME = 10_000;
    private static final int MOST_PER_FRAME_OF_CLIENT = 5_000;
    /** What the client takes by itself. */
    static final int MOST_OF_CLIENT = 1 << 16;

    private static final int LONGEST = 86_400;
    private static final int MOST_WINDOWS = 1_000;
    private static final long MOST_RATE = 1_000_000_000;

    /** Why this cannot be measured, one line each; empty if it can. */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        within("--users", users, 1, MOST_USERS, problems);
        within("--concurrency", concurrency, 1, MOST_UNDER_WAY, problems);
        within("--connections", connections, 1, MOST_CONNECTIONS, problems);
        within("--rate", rate, 0, MOST_RATE, problems);
        within("--warm-up", warmUpSeconds, 0, LONGEST, problems);
        within("--seconds", seconds, 1, LONGEST, problems);
        within("--windows", windows, 1, MOST_WINDOWS, problems);
        switch (mode) {
            case UNARY, STREAM -> {
                if (batch != 1) {
                    problems.add("--batch is " + batch + "; in mode " + mode + " a message bears one call");
                }
            }
            case FRAMES -> within("--batch", batch, 1, MOST_PER_FRAME, problems);
            case CLIENT -> {
                within("--batch", batch, 1, MOST_PER_FRAME_OF_CLIENT, problems);
                if ((long) concurrency * connections > MOST_OF_CLIENT) {
                    problems.add("--concurrency " + concurrency + " with " + connections + " threads is more than the "
                            + MOST_OF_CLIENT + " calls that the client takes");
                }
            }
        }
        if (problems.isEmpty() && users < connections) {
            problems.add("--users is " + users + "; each of " + connections + " connections needs one at least");
        }
        return problems;
    }

    /** Calls that one request bears. */
    int callsOfRequest() {
        return mode == Mode.FRAMES ? batch : 1;
    }

    private static void within(String option, long value, long least, long most, List<String> problems) {
        if (value < least || value > most) {
            problems.add(option + " is " + value + "; it must be from " + least + " to " + most);
        }
    }
}
