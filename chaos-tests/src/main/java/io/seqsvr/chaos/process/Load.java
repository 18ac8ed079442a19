package io.seqsvr.chaos.process;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.grpc.BareClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Calls under way, each told to a recorder. A user's next call begins when the one before it
 * in its loop has ended; a refused or unanswered one is followed by another after a short pause.
 */
public final class Load implements AutoCloseable {
    private static final Duration STOP_SLACK = Duration.ofSeconds(10);

    private final LoadPlan plan;
    private final Recorder recorder;
    private final Doors doors;
    private final Consumer<String> nonsense;
    /** Of each door, HOST:PORT. */
    private final List<String> addresses;
    /** Some for each door, in their order. */
    private final List<List<BareClient>> clients = new ArrayList<>();
    /** For each door, by {@link System#nanoTime}: when the newest call began that it has given numbers. */
    private final AtomicLongArray answeredFrom;

    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(Load::daemon);
    private final Progress progress;
    private final AtomicLong callsLeft;
    private final CountDownLatch loopsLeft;
    private volatile boolean stopping;

    private Load(Recorder recorder, Doors doors, LoadPlan plan, Consumer<String> nonsense) {
        this.plan = plan;
        this.nonsense = nonsense;
        this.recorder = recorder;
        this.doors = doors;
        this.addresses = doors.all().stream().map(Endpoint::toString).toList();
        this.progress = new Progress(plan.callsAtOnce().keySet());
        this.callsLeft = new AtomicLong(plan.calls());
        this.loopsLeft = new CountDownLatch(
                plan.callsAtOnce().values().stream().mapToInt(Integer::intValue).sum());
        for (var door : doors.all()) {
            clients.add(IntStream.range(0, plan.clients())
                    .mapToObj(i -> plan.patient()
                            ? BareClient.patient(door.host(), door.port(), plan.timeout())
                            : new BareClient(door.host(), door.port(), plan.timeout()))
                    .toList());
        }
        long never = System.nanoTime() - Long.MAX_VALUE / 2;
        this.answeredFrom =
                new AtomicLongArray(clients.stream().mapToLong(of -> never).toArray());
    }

    /**
     * Begins to ask one server.
     *
     * @param recorder what every call is told to; of the plan's namespace, and of no other
     * @param endpoint whom to ask
     * @param plan what to ask
     */
    public static Load start(Recorder recorder, Endpoint endpoint, LoadPlan plan) {
        return start(recorder, Doors.inTurn(List.of(endpoint)), plan);
    }

    /**
     * Begins to ask.
     *
     * @param recorder what every call is told to; of the plan's namespace, and of no other
     * @param doors whom to ask
     * @param plan what to ask
     */
    public static Load start(Recorder recorder, Doors doors, LoadPlan plan) {
        return start(recorder, doors, plan, words -> {});
    }

    /**
     * Begins to ask.
     *
     * @param recorder what every call is told to; of the plan's namespace, and of no other
     * @param doors whom to ask
     * @param plan what to ask
     * @param nonsense is told at once if a reply made no sense, which ends the load
     */
    public static Load start(Recorder recorder, Doors doors, LoadPlan plan, Consumer<String> nonsense) {
        var load = new Load(recorder, doors, plan, nonsense);
        plan.callsAtOnce().forEach((uid, calling) -> {
            for (int i = 0; i < calling; i++) {
                new CallLoop(load, uid, i).call();
            }
        });
        return load;
    }

    /**
     * Waits until the load has had so many answers since it began.
     *
     * @param total of all users together
     * @param ofEach of every user alone
     * @throws IllegalStateException if they have not come by then, or a reply made no sense
     */
    public void awaitAnswers(long total, long ofEach, Duration within) {
        progress.awaitAnswers(total, ofEach, within);
    }

    /**
     * Waits until so many calls have been refused or gone without an answer since it began.
     *
     * @throws IllegalStateException if they have not by then, or a reply made no sense
     */
    public void awaitFailures(long total, Duration within) {
        progress.awaitFailures(total, within);
    }

    /**
     * Waits until it has made all calls of its plan and each has ended.
     *
     * @throws IllegalStateException if they have not by then, or a reply made no sense
     */
    public void awaitEnd(Duration within) {
        try {
            if (!loopsLeft.await(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(loopsLeft.getCount() + " loops of the load still ran after " + within);
            }
        } catch (InterruptedException interrupted) {
            throw Interruption.of("the load to end");
        }
        progress.requireSense();
    }

    /**
     * Makes no further call, waits for those under way, and closes the connections.
     *
     * @throws IllegalStateException if a reply made no sense, or a call outlived its timeout
     */
    @Override
    public void close() {
        stopping = true;
        try {
            awaitEnd(plan.timeout().plus(STOP_SLACK));
        } finally {
            pauses.shutdownNow();
            closeClients();
        }
    }

    /**
     * Makes no further call and breaks off those under way, whose outcomes stay unknown: for a load whose servers may
     * never answer again.
     */
    public void breakOff() {
        stopping = true;
        try {
            closeClients();
        } finally {
            pauses.shutdownNow();
        }
    }

    private void closeClients() {
        Closings.all(clients.stream().flatMap(List::stream).map(client -> client::close));
    }

    /** How a reply made no sense, if one did: the load has ended then. */
    public Optional<String> nonsense() {
        return progress.nonsense();
    }

    /** How often calls were refused or without an answer, by what was said. */
    public Map<String, Long> failures() {
        return progress.failures();
    }

    /**
     * Whether each door has given numbers to a call that began at or after this moment of {@link System#nanoTime}:
     * readings and lifts do not count.
     */
    public boolean everyDoorAnsweredSince(long nanos) {
        return IntStream.range(0, answeredFrom.length()).allMatch(door -> answeredFrom.get(door) - nanos >= 0);
    }

    void gave(int door, long begun) {
        answeredFrom.accumulateAndGet(door, begun, (known, heard) -> heard - known > 0 ? heard : known);
    }

    boolean mayCall() {
        return !stopping && callsLeft.getAndDecrement() > 0;
    }

    void loopEnded() {
        loopsLeft.countDown();
    }

    /** A reply that no server may give ends the whole load. */
    void madeNoSense(Throwable defect) {
        stopping = true;
        // First: who waits for the load hears that it has ended, and then asks what was told.
        nonsense.accept(String.valueOf(defect.getMessage()));
        progress.madeNoSense(defect);
    }

    void afterPause(Duration pause, Runnable call) {
        try {
            var unused = pauses.schedule(call, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException brokenOff) {
            loopEnded();
        }
    }

    LoadPlan plan() {
        return plan;
    }

    Recorder recorder() {
        return recorder;
    }

    Progress progress() {
        return progress;
    }

    int door(long uid, long turn) {
        return doors.pick(uid, turn);
    }

    String address(int door) {
        return addresses.get(door);
    }

    BareClient client(int door, long turn) {
        var ofDoor = clients.get(door);
        return ofDoor.get((int) (turn % ofDoor.size()));
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "load-pauses");
        thread.setDaemon(true);
        return thread;
    }
}
