package io.seqsvr.cli.bench;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Raise commands in a closed loop: always so many under way, each followed by another as soon as it is answered. Every
 * reply is held against what was asked. Use it from one event loop.
 */
final class RaiseLoad {
    private static final long AFTER_FAILURE_MILLIS = 10;
    private static final int DIGITS = 3;

    /**
     * What happened from one moment to another.
     *
     * @param nanos how long it was
     * @param commands answered as they must be
     * @param segments raised by these
     * @param micros their latencies, in microseconds
     */
    record Window(long nanos, long commands, long segments, Histogram micros) {
        double perSecond(long count) {
            return count * 1e9 / nanos;
        }
    }

    /** One command at a time, of segments that no other lane raises. */
    private final class Lane {
        private final int place;
        private final List<ClaimedSegment> segments;
        private final long[] maxSeq;
        private int next;

        Lane(int place, List<ClaimedSegment> segments) {
            this.place = place;
            this.segments = segments;
            this.maxSeq = segments.stream().mapToLong(ClaimedSegment::maxSeq).toArray();
        }

        void send() {
            if (stopping || place >= open) {
                running--;
                endIfNoneRuns();
                return;
            }
            var items = new ArrayList<StoreCommand.RaiseItem>(batch);
            for (int i = 0; i < batch; i++) {
                int at = (next + i) % segments.size();
                var segment = segments.get(at);
                items.add(new StoreCommand.RaiseItem(
                        segment.segment(), segment.epoch(), maxSeq[at] + Namespace.DEFAULT_STEP));
            }
            long sentAt = System.nanoTime();
            store.execute(new StoreCommand.Raise(session, items)).onComplete(outcome -> told(items, sentAt, outcome));
        }

        private void told(List<StoreCommand.RaiseItem> items, long sentAt, AsyncResult<StoreReply> outcome) {
            long now = System.nanoTime();
            if (outcome.failed()) {
                // Raises are absolute: the same ones again are right whatever became of these.
                unanswered++;
                lastUnanswered = String.valueOf(outcome.cause().getMessage());
                vertx.setTimer(AFTER_FAILURE_MILLIS, fired -> send());
            } else if (isAsAsked(items, outcome.result())) {
                for (var item : items) {
                    maxSeq[next] = item.maxSeq();
                    next = (next + 1) % segments.size();
                }
                accepted(items.size(), sentAt, now);
                send();
            } else {
                if (wrong == 0) {
                    firstWrong = "a raise of " + items.get(0) + " and others was answered with " + shortened(outcome);
                }
                wrong++;
                vertx.setTimer(AFTER_FAILURE_MILLIS, fired -> send());
            }
        }
    }

    private final Vertx vertx;
    private final StoreClient store;
    private final long session;
    private final int batch;
    private final List<Lane> lanes = new ArrayList<>();
    private final Promise<Void> ended = Promise.promise();
    private boolean stopping;
    private int open;
    private int running;

    private long windowBegan;
    private long commands;
    private long segmentsRaised;
    private Histogram micros = new Histogram(DIGITS);
    private long lastAcceptedAt;
    private long longestGapNanos;
    private long awaitedAfter;
    private Promise<Long> awaited = Promise.promise();

    private long unanswered;
    private String lastUnanswered = "";
    private long wrong;
    private String firstWrong = "";

    RaiseLoad(Vertx vertx, StoreClient store, Assigned assigned, int concurrency, int batch) {
        this.vertx = vertx;
        this.store = store;
        this.session = assigned.session();
        this.batch = batch;
        this.open = concurrency;
        int each = assigned.segments().size() / concurrency;
        for (int i = 0; i < concurrency; i++) {
            lanes.add(new Lane(i, assigned.segments().subList(i * each, (i + 1) * each)));
        }
    }

    /** Begins. */
    void start() {
        running = lanes.size();
        beginWindow();
        lanes.forEach(Lane::send);
    }

    /** From now on only so many commands are under way; the rest ends. */
    void narrow(int concurrency) {
        open = concurrency;
    }

    /** Sends nothing more; done when nothing is under way. */
    Future<Void> stop() {
        stopping = true;
        endIfNoneRuns();
        return ended.future();
    }

    private void endIfNoneRuns() {
        if (running == 0) {
            ended.tryComplete();
        }
    }

    /** Forgets the commands so far, and the answers that did not come. */
    void beginWindow() {
        windowBegan = System.nanoTime();
        commands = 0;
        segmentsRaised = 0;
        micros = new Histogram(DIGITS);
        unanswered = 0;
        lastAcceptedAt = windowBegan;
        longestGapNanos = 0;
    }

    /** What happened since the window began. */
    Window window() {
        return new Window(System.nanoTime() - windowBegan, commands, segmentsRaised, micros.copy());
    }

    /** The longest time without an accepted command since the last look, in nanoseconds. */
    long takeLongestGapNanos() {
        long longest = Math.max(longestGapNanos, System.nanoTime() - lastAcceptedAt);
        longestGapNanos = 0;
        return longest;
    }

    /** Told when a command is accepted that was sent after {@code nanos}; the value is when. */
    Future<Long> acceptedAfter(long nanos) {
        awaitedAfter = nanos;
        awaited = Promise.promise();
        return awaited.future();
    }

    /** Commands of the window without an answer; their outcome is not known. */
    long unanswered() {
        return unanswered;
    }

    /** Why the last one had none. */
    String lastUnanswered() {
        return lastUnanswered;
    }

    /** Replies that were not as asked, since the start. */
    long wrong() {
        return wrong;
    }

    /** The first of them. */
    String firstWrong() {
        return firstWrong;
    }

    private void accepted(int segments, long sentAt, long now) {
        commands++;
        segmentsRaised += segments;
        micros.recordValue((now - sentAt) / 1_000);
        longestGapNanos = Math.max(longestGapNanos, now - lastAcceptedAt);
        lastAcceptedAt = now;
        if (sentAt - awaitedAfter > 0) {
            awaited.tryComplete(now);
        }
    }

    static boolean isAsAsked(List<StoreCommand.RaiseItem> items, StoreReply reply) {
        if (!(reply instanceof StoreReply.Raised raised) || raised.items().size() != items.size()) {
            return false;
        }
        for (int i = 0; i < items.size(); i++) {
            var asked = items.get(i);
            var expected = new StoreReply.RaisedItem(asked.segment(), asked.epoch(), true, asked.maxSeq());
            if (!raised.items().get(i).equals(expected)) {
                return false;
            }
        }
        return true;
    }

    private static String shortened(AsyncResult<StoreReply> outcome) {
        var text = outcome.result().toString();
        return text.substring(0, Math.min(200, text.length()));
    }
}
