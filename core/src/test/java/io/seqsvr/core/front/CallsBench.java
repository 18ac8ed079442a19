package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A caller on a test's bench: two owners with ten users each, ten users without one, and time in its hands. */
final class CallsBench {
    static final long PATIENCE = 1_000_000_000L;
    static final long TIMEOUT = 5_000_000_000L;

    /** As long as a call rests at most that came to nothing once. */
    static final long FIRST_REST = 10_000_000L;

    private static final long LONGEST_REST = 250_000_000L;
    private static final Namespace MESSAGES = new Namespace(1, "messages", 30, 10, 100, 1_000, Long.MAX_VALUE);

    final Calls<Long> calls;
    private final FakeStore store = new FakeStore(new LeaseTerms(3_000_000_000L, 100), MESSAGES);
    private final Map<Long, Optional<Answer>> ends = new HashMap<>();
    private final Map<Long, String> owners = new HashMap<>();
    private final List<Frame> sent = new ArrayList<>();
    private long lastTicket;
    /** Passes the greatest long soon. */
    private long now = Long.MAX_VALUE - 2_000_000_000L;

    CallsBench(CallLimits limits) {
        this(limits, 2);
    }

    private CallsBench(CallLimits limits, int owners) {
        calls = new Calls<>(limits, new SplittableRandom(1), new Verifier(16));
        for (int i = 0; i < owners; i++) {
            assign(i, "alloc-" + (i + 1));
        }
    }

    /** A caller that was shown nothing yet. */
    static CallsBench blind(CallLimits limits) {
        return new CallsBench(limits, 0);
    }

    long now() {
        return now;
    }

    void assign(int segment, String name) {
        store.publish(new Move(1, segment, segment, store.open(name)));
        calls.learn(store.view());
    }

    /** A segment goes to the owner of another one. */
    void give(int segment, int other) {
        store.publish(new Move(1, segment, segment, store.segment(1, other).owner()));
        calls.learn(store.view());
    }

    /** Its owner is gone, and another one has the segment. */
    void moveAway(int segment, String name) {
        store.expire(store.segment(1, segment).owner());
        assign(segment, name);
    }

    long put(Call call) {
        return put(call, Caller.ALONE);
    }

    long put(Call call, Caller caller) {
        return put(call, caller, TIMEOUT);
    }

    private long put(Call call, Caller caller, long timeout) {
        calls.put(++lastTicket, call, caller, 0, timeout, now);
        return lastTicket;
    }

    long next(long uid, long timeout) {
        return put(new Call.Next("messages", uid, 1, 0), Caller.ALONE, timeout);
    }

    long next(long uid) {
        return put(new Call.Next("messages", uid, 1, 0));
    }

    long next(long uid, Caller caller) {
        return put(new Call.Next("messages", uid, 1, 0), caller);
    }

    long current(long uid) {
        return put(new Call.Current("messages", uid));
    }

    void carryOut() {
        for (var effect : calls.takeEffects(now)) {
            if (effect instanceof CallEffect.Send<Long> send) {
                sent.add(send.frame());
            } else if (effect instanceof CallEffect.Answered<Long> answered) {
                assertNull(ends.put(answered.ticket(), Optional.of(answered.answer())), "a call ended twice");
            } else if (effect instanceof CallEffect.Unanswered<Long> unanswered) {
                assertNull(ends.put(unanswered.ticket(), Optional.empty()), "a call ended twice");
                owners.put(unanswered.ticket(), unanswered.owner());
            }
        }
    }

    /** The frames that have left since this was asked last. */
    List<Frame> frames() {
        carryOut();
        var frames = List.copyOf(sent);
        sent.clear();
        return frames;
    }

    Frame onlyFrame() {
        var frames = frames();
        assertEquals(1, frames.size(), frames::toString);
        return frames.get(0);
    }

    static List<Long> uids(Frame frame) {
        return frame.places().stream().map(place -> place.call().uid()).toList();
    }

    void answer(Frame frame, Answer... answers) {
        calls.answered(frame.correlation(), List.of(answers), now);
        carryOut();
    }

    void pass(long nanos) {
        now += nanos;
        calls.tick(now);
        carryOut();
    }

    void losePatience() {
        pass(PATIENCE);
    }

    /** As long as a call rests at most before it is tried again. */
    void rest() {
        pass(LONGEST_REST);
    }

    boolean hasEnded(long ticket) {
        return ends.containsKey(ticket);
    }

    /** Whom a call had asked last that ended without an answer. */
    String ownerOf(long ticket) {
        return owners.getOrDefault(ticket, "it did not end so");
    }

    /** The answer with which a call ended, if it did. */
    Optional<Answer> answerOf(long ticket) {
        return ends.getOrDefault(ticket, Optional.empty());
    }
}
