package io.seqsvr.chaos.live;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Users that an application with the Java client would have: one call after the other, with all that the client does
 * for them. It shows what an application sees; of what servers say it shows less, as the client holds back what is
 * wrong.
 */
final class ClientUsers implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final String namespace;
    private final SequenceClient client;
    private final LiveRecord record;
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "client-users");
        thread.setDaemon(true);
        return thread;
    });
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();
    private volatile boolean stopping;

    ClientUsers(String namespace, List<Endpoint> routers, LiveRecord record) {
        this.namespace = namespace;
        this.record = record;
        var builder = SequenceClient.builder().timeout(TIMEOUT);
        routers.forEach(router -> builder.endpoint(router.toString()));
        this.client = builder.build();
    }

    /** Begins to ask for these users. */
    void start(List<Long> uids) {
        uids.forEach(uid -> new Caller(uid).call());
    }

    private final class Caller {
        private final long uid;
        private long last;

        private Caller(long uid) {
            this.uid = uid;
        }

        private void call() {
            if (stopping) {
                return;
            }
            long begun = System.nanoTime();
            var call = record.byClient(uid);
            var unused = client.next(namespace, uid, 1).handle((range, failure) -> {
                end(begun, call, range, failure);
                return uid;
            });
        }

        private void end(long begun, ClientCall call, @Nullable SequenceRange range, @Nullable Throwable failure) {
            if (stopping) {
                return;
            }
            if (range != null) {
                answered.increment();
                call.answered();
                if (range.first() <= last) {
                    record.violated(
                            "ORDERED", "the Java client gave user " + uid + " " + range.first() + " after " + last);
                }
                last = range.last();
                long nanos = System.nanoTime() - begun;
                longestNanos.accumulateAndGet(nanos, Math::max);
            } else {
                failed.increment();
                call.failed("by the Java client: " + failure);
                if (!(failure instanceof SequenceException)) {
                    record.violated("TYPED_FAILURE", "the Java client failed otherwise than it says: " + failure);
                }
            }
            try {
                var unused = pauses.schedule(this::call, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                stopping = true;
            }
        }
    }

    /** How long calls took counts from now on. */
    void forgetLongest() {
        longestNanos.set(0);
    }

    ClientFindings findings() {
        return new ClientFindings(answered.sum(), failed.sum(), longestNanos.get(), client.backward());
    }

    @Override
    public void close() {
        stopping = true;
        pauses.shutdownNow();
        client.close();
    }
}
