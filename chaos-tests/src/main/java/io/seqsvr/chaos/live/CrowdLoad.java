package io.seqsvr.chaos.live;

import io.seqsvr.chaos.grpc.BareClient;
import io.seqsvr.chaos.grpc.CallFailure;
import io.seqsvr.chaos.grpc.FrameClient;
import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.grpc.ManyCaller;
import io.seqsvr.chaos.grpc.Told;
import io.seqsvr.chaos.process.Closings;
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
    /** When each loop's last call began in which everybody was answered, by {@link System#nanoTime}. */
    private final AtomicLongArray answeredInFull = new AtomicLongArray(LOOPS);

    /** For each loop, one for each router: the first loop asks by frames, the others call by call. */
    private final List<List<ManyCaller>> clients;

    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "crowd-load");
        thread.setDaemon(true);
        return thread;
    });

    CrowdLoad(Target target, long[] crowd, LiveRecord record) {
        this.namespace = target.namespace();
        this.crowd = crowd;
        this.record = record;
        this.clients = IntStream.range(0, LOOPS)
                .mapToObj(loop -> target.routers().stream()
                        .<ManyCaller>map(router -> loop == 0
                                ? new FrameClient(router.host(), router.port(), GIVES_UP_AFTER, target.segmentOf())
                                : new BareClient(router.host(), router.port(), GIVES_UP_AFTER))
                        .toList())
                .toList();
        for (int loop = 0; loop < LOOPS; loop++) {
            answeredInFull.set(loop, System.nanoTime() - 1);
            next(new SplittableRandom(loop), loop, loop);
        }
    }

    /** Users that lie between those, evenly. */
    static long[] between(List<Long> uids, long apart) {
        long each = CROWD / uids.size();
        long step = Math.max(1, (apart + each) / (each + 1));
        return uids.stream()
                .flatMapToLong(uid -> LongStream.iterate(uid + step, next -> next < uid + apart, next -> next + step))
                .toArray();
    }

    /** A part of the crowd that begins anywhere, so that nobody is in it twice. */
    private void next(SplittableRandom random, int loop, int turn) {
        int count = Math.min(AT_ONCE, crowd.length);
        int from = random.nextInt(crowd.length);
        var uids = new long[count];
        var floors = new long[count];
        for (int i = 0; i < count; i++) {
            uids[i] = crowd[(from + i) % crowd.length];
            floors[i] = record.crowd().begin(uids[i]);
        }
        long begun = System.nanoTime();
        var routers = clients.get(loop);
        var client = routers.get(turn % routers.size());
        if (random.nextInt(READS_EVERY) == 0) {
            client.currentMany(namespace, uids)
                    .whenComplete((told, failure) ->
                            goOn(random, loop, turn, () -> endReading(uids, floors, begun, loop, told, failure)));
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
                answered++;
            } else {
                record.crowd().lost(uids[i], floors[i]);
                record.nonsense("asked for 1 sequence of user " + Long.toUnsignedString(uids[i])
                        + ", but the server answered " + given.get());
            }
        }
        requireOneForEach(uids, results.size(), failure);
        note(loop, begun, answered == uids.length);
    }

    private void note(int loop, long begun, boolean inFull) {
        if (inFull) {
            answeredInFull.set(loop, begun);
        }
    }

    /** Whether each loop has made a call since in which everybody was answered. */
    boolean isServedSince(long nanos) {
        return IntStream.range(0, LOOPS).allMatch(loop -> answeredInFull.get(loop) - nanos >= 0);
    }

    private void endReading(
            long[] uids,
            long[] floors,
            long begun,
            int loop,
            @Nullable List<Optional<Told>> all,
            @Nullable Throwable failure) {
        var results = all == null ? new ArrayList<Optional<Told>>() : all;
        int answered = 0;
        for (int i = 0; i < uids.length; i++) {
            var told = i < results.size() ? results.get(i) : Optional.<Told>empty();
            if (told.isPresent() && told.get().uid() == uids[i]) {
                record.crowd().told(uids[i], floors[i], begun, told.get().seq());
                answered++;
                continue;
            }
            record.crowd().lost(uids[i], floors[i]);
            if (told.isPresent()) {
                record.nonsense(
                        "asked for user " + Long.toUnsignedString(uids[i]) + ", but the server told " + told.get());
            }
        }
        requireOneForEach(uids, results.size(), failure);
        note(loop, begun, answered == uids.length);
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
            var unused = pauses.schedule(call, BETWEEN_CALLS.toMillis(), TimeUnit.MILLISECONDS);
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
