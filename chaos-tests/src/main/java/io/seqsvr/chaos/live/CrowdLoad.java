package io.seqsvr.chaos.live;

import io.seqsvr.chaos.grpc.BareClient;
import io.seqsvr.chaos.grpc.Given;
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
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of users, one sequence each for hundreds of them in every call, through the routers: what many see now and
 * then, beside the few who ask all the time.
 */
final class CrowdLoad implements AutoCloseable {
    private static final int LOOPS = 3;
    private static final int AT_ONCE = 500;
    private static final int CROWD = 4_000;
    private static final Duration GIVES_UP_AFTER = Duration.ofSeconds(1);
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(100);

    private final String namespace;
    private final long[] crowd;
    private final LiveRecord record;
    private final List<BareClient> clients;
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "crowd-load");
        thread.setDaemon(true);
        return thread;
    });

    CrowdLoad(String namespace, long[] crowd, List<Endpoint> routers, LiveRecord record) {
        this.namespace = namespace;
        this.crowd = crowd;
        this.record = record;
        this.clients = routers.stream()
                .map(router -> new BareClient(router.host(), router.port(), GIVES_UP_AFTER))
                .toList();
        for (int i = 0; i < LOOPS; i++) {
            next(new SplittableRandom(i), i);
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
    private void next(SplittableRandom random, int turn) {
        int count = Math.min(AT_ONCE, crowd.length);
        int from = random.nextInt(crowd.length);
        var uids = new long[count];
        var floors = new long[count];
        for (int i = 0; i < count; i++) {
            uids[i] = crowd[(from + i) % crowd.length];
            floors[i] = record.beginItem(uids[i]);
        }
        long begun = System.nanoTime();
        clients.get(turn % clients.size()).nextMany(namespace, uids).whenComplete((given, failure) -> {
            try {
                end(uids, floors, begun, given, failure);
            } catch (RuntimeException defect) {
                // The client's thread would tell nobody.
                record.nonsense("a reply could not be judged: " + defect);
                return;
            }
            later(() -> next(random, turn + 1));
        });
    }

    private void end(
            long[] uids, long[] floors, long begun, @Nullable List<Optional<Given>> all, @Nullable Throwable failure) {
        var results = all == null ? new ArrayList<Optional<Given>>() : all;
        for (int i = 0; i < uids.length; i++) {
            var given = i < results.size() ? results.get(i) : Optional.<Given>empty();
            if (given.isEmpty()) {
                record.loseItem(uids[i], floors[i]);
            } else if (given.get().uid() == uids[i]
                    && given.get().first() == given.get().last()) {
                record.endItem(uids[i], floors[i], begun, given.get());
            } else {
                record.loseItem(uids[i], floors[i]);
                record.nonsense("asked for 1 sequence of user " + Long.toUnsignedString(uids[i])
                        + ", but the server answered " + given.get());
            }
        }
        if (failure == null && results.size() != uids.length) {
            record.nonsense("asked for " + uids.length + " users, but the server answered for " + results.size());
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
        clients.forEach(BareClient::close);
    }
}
