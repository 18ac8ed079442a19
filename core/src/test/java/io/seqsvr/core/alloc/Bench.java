package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.alloc.AllocatorEffect.Send;
import io.seqsvr.core.alloc.AllocatorEffect.Tell;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One allocator in a test's hands: its clocks, its store, and every command between the two. */
final class Bench {
    /** A ttl of three seconds: a renewal every 750 ms, the granter's timer at 3,301 ms. */
    static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    /** Ten segments of 10 users; a step of 100. */
    static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 1_000, Long.MAX_VALUE);

    static final int MAX_WAITING = 5;
    static final long TICK_MILLIS = 5;

    final TestClock clock;
    final FakeStore store;
    final Allocator allocator;
    final List<RoleEvent> events = new ArrayList<>();
    /** Commands that wait for the test to say what becomes of them. */
    final List<Send> held = new ArrayList<>();

    /** Messages to other allocators that wait for the test to say what becomes of them. */
    final List<Tell> told = new ArrayList<>();

    /** Frames that waited and have ended. */
    final List<OpenFrame> framesEnded = new ArrayList<>();

    /** How often the watch was told to ask another peer. */
    int watchedElsewhere;

    private final Map<Long, Answer> resumed = new HashMap<>();
    private Consumer<Send> fate = this::execute;

    Bench(FakeStore store, TestClock clock, String name) {
        this(store, clock, name, Long.MAX_VALUE);
    }

    /** An allocator whose counters take so much memory at most. */
    Bench(FakeStore store, TestClock clock, String name, long counterBytes) {
        this.store = store;
        this.clock = clock;
        this.allocator = new Allocator(
                name,
                name + ":7401",
                new AllocatorLimits(MAX_WAITING, counterBytes),
                new SplittableRandom(name.hashCode() + store.lastStamp()));
    }

    /** An allocator that serves the given segments of MESSAGES. */
    static Bench serving(int first, int last) {
        var bench = new Bench(new FakeStore(LEASE, MESSAGES), new TestClock(), "alloc-1");
        bench.tick();
        bench.assign(first, last);
        return bench;
    }

    /** Gives this allocator segments, and wakes it. */
    void assign(int first, int last) {
        store.publish(new StoreCommand.Move(1, first, last, allocator.session()));
        wake();
    }

    void wake() {
        allocator.woken(store.view(), clock.now());
        carryOut();
    }

    void tick() {
        allocator.tick(clock.nowWithBoot());
        carryOut();
    }

    /** Time passes, tick by tick. */
    void passMillis(long millis) {
        for (long passed = 0; passed < millis; passed += TICK_MILLIS) {
            clock.passMillis(TICK_MILLIS);
            tick();
        }
    }

    /** From now on the test decides what becomes of each command. */
    void holdCommands() {
        fate = held::add;
    }

    /** From now on each command is executed and answered at once; what was held stays held. */
    void answerCommands() {
        fate = this::execute;
    }

    /** From now on the test decides about each command as it is sent. */
    void decideCommands(Consumer<Send> decide) {
        fate = decide;
    }

    void carryOut() {
        var effects = allocator.takeEffects();
        while (!effects.isEmpty()) {
            effects.forEach(this::carryOut);
            effects = allocator.takeEffects();
        }
    }

    private void carryOut(AllocatorEffect effect) {
        if (effect instanceof AllocatorEffect.Report report) {
            events.add(report.event());
        } else if (effect instanceof AllocatorEffect.Resume resume) {
            assertEquals(null, resumed.put(resume.ticket(), released(resume.step())), "a ticket came twice");
        } else if (effect instanceof Send send) {
            fate.accept(send);
        } else if (effect instanceof Tell tell) {
            told.add(tell);
        } else if (effect instanceof AllocatorEffect.FrameEnded ended) {
            framesEnded.add(ended.frame());
        } else if (effect instanceof AllocatorEffect.WatchElsewhere) {
            watchedElsewhere++;
        }
    }

    /** Whether a message of this kind waits to be carried. */
    boolean tells(Class<? extends PeerMessage> kind) {
        return told.stream().anyMatch(tell -> kind.isInstance(tell.message()));
    }

    /** The first message of a kind; it waits no longer. */
    <T extends PeerMessage> T takeTold(Class<T> kind) {
        var tell = told.stream()
                .filter(candidate -> kind.isInstance(candidate.message()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " among " + told));
        told.remove(tell);
        return kind.cast(tell.message());
    }

    /** A message of another allocator arrives. */
    void hear(Bench from, PeerMessage message) {
        allocator.heard(from.allocator.session(), List.of(message), clock.now());
        carryOut();
    }

    /** Begins to hand a segment over. */
    void handOver(int segment, long to) {
        allocator.handOver(List.of(new SegmentId(1, segment)), to, clock.now());
        carryOut();
    }

    /** What leaves when the clocks are read now. */
    Answer released(Step step) {
        if (step instanceof Step.Taken taken) {
            return allocator.release(taken, clock.now());
        }
        if (step instanceof Step.Confirmed confirmed) {
            return confirmed.answer();
        }
        return assertInstanceOf(Step.Refused.class, step).answer();
    }

    /** The first held command of a kind; it is held no longer. */
    Send takeHeld(Class<? extends StoreCommand> kind) {
        var send = held.stream()
                .filter(candidate -> kind.isInstance(candidate.command()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " among " + held));
        held.remove(send);
        return send;
    }

    long countHeld(Class<? extends StoreCommand> kind) {
        return held.stream().filter(send -> kind.isInstance(send.command())).count();
    }

    void answer(Send send, StoreReply reply) {
        allocator.answered(send.call(), reply, clock.now());
        carryOut();
    }

    /** The command reaches the store, and the answer comes back. */
    void execute(Send send) {
        answer(send, store.execute(send.command()));
    }

    /** No outcome will come. */
    void lose(Send send) {
        allocator.unanswered(send.call(), clock.now());
        carryOut();
    }

    Step step(long uid, long count) {
        var step = allocator.next("messages", uid, count, 0, 0, clock.now());
        carryOut();
        return step;
    }

    /** Asks for sequences from {@code atLeast} on, in no older epoch than {@code minEpoch}. */
    Answer request(long uid, long count, long atLeast, long minEpoch) {
        var step = allocator.next("messages", uid, count, atLeast, minEpoch, clock.now());
        carryOut();
        return settled(step);
    }

    Step floorStep(long uid, long floor) {
        var step = allocator.raiseFloor("messages", uid, floor, 0, clock.now());
        carryOut();
        return step;
    }

    /** Lifts a user; a request that waits must have gone on by itself. */
    Answer raiseFloor(long uid, long floor) {
        return settled(floorStep(uid, floor));
    }

    private Answer settled(Step step) {
        return step instanceof Step.Waiting waiting ? outcome(waiting.ticket()) : released(step);
    }

    Step.Taken take(long uid) {
        return assertInstanceOf(Step.Taken.class, step(uid, 1));
    }

    /** Takes and releases; the request must not wait. */
    Answer request(long uid, long count) {
        return released(step(uid, count));
    }

    /** The next sequence of a user, which must come at once. */
    long next(long uid) {
        return assertInstanceOf(Answer.Range.class, request(uid, 1)).last();
    }

    /** Takes numbers above max_seq; tells the ticket of the request. */
    long waitFor(long uid, long count) {
        return assertInstanceOf(Step.Waiting.class, step(uid, count)).ticket();
    }

    void assertStillWaits(long ticket) {
        assertTrue(stillWaits(ticket));
    }

    boolean stillWaits(long ticket) {
        return !resumed.containsKey(ticket);
    }

    /** What a request that waited got. */
    Answer outcome(long ticket) {
        var answer = resumed.get(ticket);
        if (answer == null) {
            throw new AssertionError("request " + ticket + " still waits");
        }
        return answer;
    }

    Step currentStep(long uid) {
        var step = allocator.current("messages", uid, 0, clock.now());
        carryOut();
        return step;
    }

    Answer.Reading current(long uid) {
        return assertInstanceOf(Answer.Reading.class, released(currentStep(uid)));
    }

    void assertRefused(Refusal expected, long uid) {
        assertRefused(expected, request(uid, 1));
    }

    static void assertRefused(Refusal expected, Answer answer) {
        assertEquals(expected, assertInstanceOf(Answer.Refused.class, answer).refusal(), answer.toString());
    }

    <T extends RoleEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
