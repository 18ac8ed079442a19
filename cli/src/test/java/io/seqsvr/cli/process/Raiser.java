package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * An allocator that does nothing but raise its segments, and remembers what it was told. Whenever it takes its segments
 * anew, under another session, it compares: what was answered as done must be there.
 */
final class Raiser implements Runnable {
    private static final int NAMESPACE = 1;
    private static final long STEP = 10;
    /** Peers that recover need the processor too. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Duration RENEWS_EVERY = Duration.ofMillis(500);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(90);

    private final StoreCalls calls;
    private final Supplier<List<Endpoint>> peers;
    private final String name;
    private final int first;
    private final int last;

    private final Map<SegmentId, Long> sent = new TreeMap<>(Raiser::byIndex);
    private final Map<SegmentId, Long> accepted = new TreeMap<>(Raiser::byIndex);
    private final Map<SegmentId, Long> epochs = new TreeMap<>(Raiser::byIndex);
    private final List<String> losses = new ArrayList<>();
    private long session;
    private int sessions;
    /** Sessions under which it asked for its segments since it last compared them. */
    private int asked;

    private final AtomicLong raises = new AtomicLong();
    private volatile boolean stopped;

    /**
     * One that has begun nothing yet.
     *
     * @param first its first segment in namespace 1
     * @param last its last one
     */
    Raiser(StoreCalls calls, Supplier<List<Endpoint>> peers, String name, int first, int last) {
        this.calls = calls;
        this.peers = peers;
        this.name = name;
        this.first = first;
        this.last = last;
    }

    private static int byIndex(SegmentId one, SegmentId other) {
        return Integer.compare(one.index(), other.index());
    }

    /** Raises that were answered with success so far. */
    long raises() {
        return raises.get();
    }

    /** It ends with what it has under way. */
    void stop() {
        stopped = true;
    }

    /** What is missing though answered as done, or was done twice; nothing if all is well. Only when nobody runs it. */
    List<String> losses() {
        return List.copyOf(losses);
    }

    @Override
    public void run() {
        while (!stopped && losses.isEmpty()) {
            take();
            raise();
        }
    }

    /** Takes the segments under a new session, and looks whether they are as they must be. */
    void take() {
        if (session != 0) {
            execute(new StoreCommand.CloseSession(session));
        }
        sessions++;
        var called = name + "-" + sessions;
        var open = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, called.hashCode(), called, called + ":1");
        var opened = (StoreReply.SessionOpened) execute(open);
        if (opened.session() <= session) {
            lost(name + ": session " + opened.session() + " was opened after session " + session);
        }
        session = opened.session();
        asked++;
        publish();
        if (!(execute(new StoreCommand.Claim(session, 0)) instanceof StoreReply.Claimed claimed)) {
            return;
        }
        claimed.segments().forEach(this::compare);
        asked = 0;
    }

    /** A promise that is broken: no second try of a test may hide it. */
    private void lost(String what) {
        losses.add("violation: " + what);
    }

    private void publish() {
        var moves = List.of(new StoreCommand.Move(NAMESPACE, first, last, session));
        long version = -1;
        while (execute(new StoreCommand.PublishRoutes(version, moves)) instanceof StoreReply.RoutesRefused refused) {
            if (refused.version() == version) {
                // Ours had come through before, or the session is over by now.
                return;
            }
            version = refused.version();
        }
    }

    private void compare(StoreReply.ClaimedSegment claimed) {
        var segment = claimed.segment();
        long least = accepted.getOrDefault(segment, 0L);
        long epoch = epochs.getOrDefault(segment, 0L);
        if (claimed.base() < least || claimed.epoch() <= epoch) {
            lost(name + ": raises of segment " + segment.index() + " were accepted up to " + least + " in epoch "
                    + epoch + ", and now there is " + claimed);
        }
        // An epoch is of one owner: more of them than sessions, and something was done twice.
        if (epoch > 0 && claimed.epoch() > epoch + asked) {
            lost(name + ": segment " + segment.index() + " was asked for under " + asked + " sessions since epoch "
                    + epoch + ", and now there is " + claimed);
        }
        sent.merge(segment, claimed.maxSeq(), Math::max);
        epochs.put(segment, claimed.epoch());
    }

    private void raise() {
        long renewed = System.nanoTime();
        while (!stopped) {
            // Without an answer it takes its segments anew: a raise that is sent again, or the next one, would cover
            // what was lost.
            if (!(calls.executeOnce(peers.get(), nextRaise()).orElse(null) instanceof StoreReply.Raised raised)
                    || !raised.items().stream().allMatch(StoreReply.RaisedItem::accepted)) {
                return;
            }
            raised.items().forEach(item -> accepted.merge(item.segment(), item.maxSeq(), Math::max));
            raises.incrementAndGet();
            LockSupport.parkNanos(PAUSE.toNanos());
            if (System.nanoTime() - renewed > RENEWS_EVERY.toNanos()) {
                renewed = System.nanoTime();
                if (!(execute(new StoreCommand.Renew(session)) instanceof StoreReply.Renewed)) {
                    return;
                }
            }
        }
    }

    /** One step more for each of its segments. */
    StoreCommand.Raise nextRaise() {
        var items = IntStream.rangeClosed(first, last)
                .mapToObj(index -> new SegmentId(NAMESPACE, index))
                .map(segment -> new StoreCommand.RaiseItem(
                        segment, epochs.getOrDefault(segment, 0L), sent.merge(segment, STEP, Long::sum)))
                .toList();
        return new StoreCommand.Raise(session, items);
    }

    private StoreReply execute(StoreCommand command) {
        return calls.execute(peers.get(), command, ANSWERED_WITHIN);
    }
}
