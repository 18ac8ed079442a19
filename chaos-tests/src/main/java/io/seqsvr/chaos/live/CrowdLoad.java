package io.seqsvr.chaos.live;

import io.seqsvr.chaos.grpc.BareClient;
import io.seqsvr.chaos.grpc.CallFailure;
import io.seqsvr.chaos.grpc.FrameClient;
import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.grpc.ManyCaller;
import io.seqsvr.chaos.grpc.Told;
import io.seqsvr.chaos.process.Closings;
import io.seqsvr.chaos.process.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of users, one sequence each for many of them in a call, or their last sequences, through the routers:
 * what many see now and then, beside the few who ask all the time. By frames on a stream, and by calls of many items.
 */
final class CrowdLoad implements AutoCloseable {
    private static final int LOOPS = 3;
    private static final int AT_ONCE = 1_500;
    /** Of so many calls, one asks for the last sequences. */
    private static final int READS_EVERY = 4;

    private static final int CROWD = 12_000;
    private static final Duration GIVES_UP_AFTER = Duration.ofSeconds(1);
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(100);

    private final String namespace;
    private final long[] crowd;
    private final LiveRecord record;
    private final Duration betweenCalls;
    private final ServedSegments served;
    /** When each loop's last call began in which everybody was given a number, by {@link System#nanoTime}. */
    private final AtomicLongArray gaveInFull = new AtomicLongArray(LOOPS);
    /** Where in the crowd each loop's next call for numbers begins. */
    private final int[] from = new int[LOOPS];

    /** For each loop, one for each router: the first loop asks by frames, the others call by call. */
    private final List<List<ManyCaller>> clients;

    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "crowd-load");
        thread.setDaemon(true);
        return thread;
    });

    private CrowdLoad(
            Target target, long[] crowd, LiveRecord record, List<List<ManyCaller>> clients, Duration betweenCalls) {
        this.namespace = target.namespace();
        this.crowd = crowd;
        this.record = record;
        this.clients = clients;
        this.betweenCalls = betweenCalls;
        long now = System.nanoTime();
        this.served = new ServedSegments(crowd, target.segmentOf(), now);
        for (int loop = 0; loop < LOOPS; loop++) {
            gaveInFull.set(loop, now - 1);
            from[loop] = crowd.length / LOOPS * loop;
        }
    }

    /** Begins to ask the routers. */
    static CrowdLoad start(Target target, long[] crowd, LiveRecord record) {
        return start(
                target,
                crowd,
                record,
                BETWEEN_CALLS,
                (router, frames) -> frames
                        ? new FrameClient(router.host(), router.port(), GIVES_UP_AFTER, target.segmentOf())
                        : new BareClient(router.host(), router.port(), GIVES_UP_AFTER));
    }

    /** Begins to ask whomever we are given for a router, to be asked by frames or not. */
    static CrowdLoad start(
            Target target,
            long[] crowd,
            LiveRecord record,
            Duration betweenCalls,
            BiFunction<Endpoint, Boolean, ManyCaller> connect) {
        var clients = IntStream.range(0, LOOPS)
                .mapToObj(loop -> target.routers().stream()
                        .map(router -> connect.apply(router, loop == 0))
                        .toList())
                .toList();
        var load = new CrowdLoad(target, crowd, record, clients, betweenCalls);
        for (int loop = 0; loop < LOOPS; loop++) {
            load.next(new SplittableRandom(loop), loop, loop);
        }
        return load;
    }

    /** Users that lie between those, evenly. */
    static long[] between(List<Long> uids, long apart) {
        long each = CROWD / uids.size();
        long step = Math.max(1, (apart + each) / (each + 1));
        return uids.stream()
                .flatMapToLong(uid -> LongStream.iterate(uid + step, next -> next < uid + apart, next -> next + step))
                .toArray();
    }

    /**
     * A part of the crowd, so that nobody is in it twice. Whose last numbers are asked for is drawn; those who are
     * given numbers come in turn, each time where the part before ended or earlier: so everybody's turn comes within a
     * second or two, and parts never end at the same places for long.
     */
    private void next(SplittableRandom random, int loop, int turn) {
        int count = Math.min(AT_ONCE, crowd.length);
        boolean reads = random.nextInt(READS_EVERY) == 0;
        int first = reads ? random.nextInt(crowd.length) : from[loop];
        if (!reads) {
            from[loop] = (first + count - random.nextInt(count / 2 + 1)) % crowd.length;
        }
        var uids = new long[count];
        var floors = new long[count];
        for (int i = 0; i < count; i++) {
            uids[i] = crowd[(first + i) % crowd.length];
            floors[i] = record.crowd().begin(uids[i]);
        }
        long begun = System.nanoTime();
        var routers = clients.get(loop);
        var client = routers.get(turn % routers.size());
        if (reads) {
            client.currentMany(namespace, uids)
                    .whenComplete((told, failure) ->
                            goOn(random, loop, turn, () -> endReading(uids, floors, begun, told, failure)));
        } else {
            client.nextMany(namespace, uids)
                    .whenComplete((given, failure) ->
                            goOn(random, loop, turn, () -> end(uids, floors, begun, loop, given, failure)));
        }
    }

    private void goOn(SplittableRandom random, int loop, int turn, Runnable judging) {
        try {
            judging.run();
        } catch (RuntimeException defect) {
            // The client's thread would tell nobody.
            record.nonsense("a reply could not be judged: " + defect);
            return;
        }
        later(() -> next(random, loop, turn + 1));
    }

    private void end(
            long[] uids,
            long[] floors,
            long begun,
            int loop,
            @Nullable List<Optional<Given>> all,
            @Nullable Throwable failure) {
        var results = all == null ? new ArrayList<Optional<Given>>() : all;
        int answered = 0;
        for (int i = 0; i < uids.length; i++) {
            var given = i < results.size() ? results.get(i) : Optional.<Given>empty();
            if (given.isEmpty()) {
                record.crowd().lost(uids[i], floors[i]);
            } else if (given.get().uid() == uids[i]
                    && given.get().first() == given.get().last()) {
                record.crowd().answered(uids[i], floors[i], begun, given.get(), loop > 0);
                served.gave(uids[i], begun);
                answered++;
            } else {
                record.crowd().lost(uids[i], floors[i]);
                record.nonsense("asked for 1 sequence of user " + Long.toUnsignedString(uids[i])
                        + ", but the server answered " + given.get());
            }
        }
        requireOneForEach(uids, results.size(), failure);
        if (answered == uids.length) {
            gaveInFull.set(loop, begun);
        }
    }

    /**
     * Whether calls since have given each segment numbers, and one of each loop everybody it was for. What users are
     * told of their last numbers does not count: whoever gives none may well tell that.
     */
    boolean isServedSince(long nanos) {
        return served.areServedSince(nanos)
                && IntStream.range(0, LOOPS).allMatch(loop -> gaveInFull.get(loop) - nanos >= 0);
    }

    private void endReading(
            long[] uids, long[] floors, long begun, @Nullable List<Optional<Told>> all, @Nullable Throwable failure) {
        var results = all == null ? new ArrayList<Optional<Told>>() : all;
        for (int i = 0; i < uids.length; i++) {
            var told = i < results.size() ? results.get(i) : Optional.<Told>empty();
            if (told.isPresent() && told.get().uid() == uids[i]) {
                record.crowd().told(uids[i], floors[i], begun, told.get().seq());
                continue;
            }
            record.crowd().lost(uids[i], floors[i]);
            if (told.isPresent()) {
                record.nonsense(
                        "asked for user " + Long.toUnsignedString(uids[i]) + ", but the server told " + told.get());
            }
        }
        requireOneForEach(uids, results.size(), failure);
    }

    private void requireOneForEach(long[] uids, int results, @Nullable Throwable failure) {
        if (failure instanceof CallFailure typed && typed.kind() == CallFailure.Kind.DEFECT) {
            record.nonsense(String.valueOf(typed.getMessage()));
        }
        if (failure == null && results != uids.length) {
            record.nonsense("asked for " + uids.length + " users, but the server answered for " + results);
        }
    }

    private void later(Runnable call) {
        try {
            var unused = pauses.schedule(call, betweenCalls.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // It asks no more.
            return;
        }
    }

    @Override
    public void close() {
        pauses.shutdownNow();
        Closings.all(clients.stream().flatMap(List::stream).map(client -> client::close));
    }
}
