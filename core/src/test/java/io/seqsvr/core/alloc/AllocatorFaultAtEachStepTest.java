package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.alloc.AllocatorEffect.Send;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One story of an allocator's life, told again with a fault at its first command, at its second, and so on to the last.
 */
class AllocatorFaultAtEachStepTest {
    private enum Fault {
        /** The command never reaches the store, and no outcome is known. */
        LOST,
        /** The command is applied, but its answer is lost. */
        ANSWER_LOST,
        /** The command is applied and its answer comes after the caller gave it up. */
        ANSWER_TOO_LATE,
        /** The command is applied twice. */
        APPLIED_TWICE,
        /** The outcome is told twice. */
        ANSWERED_TWICE,
        /** The answer takes a second. */
        SLOW,
        /** The store refuses for reasons of its own. */
        REJECTED
    }

    @ParameterizedTest
    @EnumSource
    void oneFaultAtAnyStepCostsNoGuaranteeAndHealsByItself(Fault fault) {
        int commands = new Story(fault, Integer.MAX_VALUE).run();
        assertTrue(commands > 30, "the story has only " + commands + " commands");
        Set<Class<?>> kinds = new HashSet<>();
        for (int step = 1; step <= commands; step++) {
            var story = new Story(fault, step);
            try {
                story.run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(fault + " at command " + step + ", " + story.hit, failure);
            }
            story.hit.forEach(hit -> kinds.add(hit.command().getClass()));
        }
        assertEquals(5, kinds.size(), "the story has not all kinds of commands: " + kinds);
    }

    /** Serves, loses its session, serves again, and closes. */
    private static final class Story {
        private final Fault fault;
        private final int faultAt;
        private final Bench bench = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "alloc-1");
        private final Map<Long, Long> lastOf = new HashMap<>();
        private final List<Send> hit = new ArrayList<>();
        private final List<Runnable> late = new ArrayList<>();
        private int commands;

        Story(Fault fault, int faultAt) {
            this.fault = fault;
            this.faultAt = faultAt;
        }

        int run() {
            bench.decideCommands(this::decide);
            bench.tick();
            untilThereIsASession();
            bench.assign(0, 1);
            serve(600);
            bench.store.expire(bench.allocator.session());
            bench.passMillis(1_000);
            untilThereIsASession();
            bench.assign(0, 1);
            serve(600);
            long session = bench.allocator.session();
            bench.allocator.close(bench.clock.now());
            bench.tick();
            pass(2_000);
            assertEquals(0, bench.allocator.session());
            bench.assertRefused(Refusal.NOT_READY, 3);
            boolean closeFailed = (fault == Fault.LOST || fault == Fault.REJECTED)
                    && hit.stream().anyMatch(send -> send.command() instanceof CloseSession);
            assertEquals(closeFailed, bench.store.state().session(session).isPresent());
            return commands;
        }

        private void decide(Send send) {
            commands++;
            if (commands != faultAt) {
                bench.execute(send);
                return;
            }
            hit.add(send);
            switch (fault) {
                case LOST -> bench.lose(send);
                case ANSWER_LOST -> {
                    bench.store.execute(send.command());
                    bench.lose(send);
                }
                case ANSWER_TOO_LATE -> {
                    var reply = bench.store.execute(send.command());
                    bench.lose(send);
                    late.add(() -> bench.answer(send, reply));
                }
                case APPLIED_TWICE -> {
                    bench.store.execute(send.command());
                    bench.execute(send);
                }
                case ANSWERED_TWICE -> {
                    var reply = bench.store.execute(send.command());
                    bench.answer(send, reply);
                    bench.answer(send, reply);
                }
                case SLOW -> {
                    var reply = bench.store.execute(send.command());
                    late.add(() -> bench.answer(send, reply));
                }
                case REJECTED -> bench.answer(send, new StoreReply.Rejected("too busy"));
            }
        }

        private void pass(long millis) {
            bench.passMillis(millis);
            var due = List.copyOf(late);
            late.clear();
            due.forEach(Runnable::run);
        }

        private void untilThereIsASession() {
            for (int i = 0; i < 10 && bench.allocator.session() == 0; i++) {
                pass(1_000);
                // Its timer ends what a lost answer left open.
                for (var session : List.copyOf(bench.store.state().sessions())) {
                    if (session.id() != bench.allocator.session()) {
                        bench.store.expire(session.id());
                    }
                }
            }
            assertTrue(bench.allocator.session() != 0, "no session");
        }

        /** Each of two users gets so many sequences, one by one; a refused request is made again. */
        private void serve(int count) {
            for (int i = 0; i < count; i++) {
                bench.passMillis(i % 10 == 0 ? Bench.TICK_MILLIS : 0);
                for (long uid : new long[] {3, 13}) {
                    long last = lastOf.getOrDefault(uid, 0L);
                    long next = untilServed(uid);
                    assertTrue(next > last, () -> "user " + uid + " got " + next + " after " + last);
                    long durable = bench.store.segment(1, (int) uid / 10).maxSeq();
                    assertTrue(next <= durable, () -> next + " left above max_seq " + durable);
                    lastOf.put(uid, next);
                }
            }
        }

        private long untilServed(long uid) {
            for (int tries = 0; tries < 20; tries++) {
                if (ask(uid) instanceof Answer.Range range) {
                    return range.last();
                }
                pass(1_000);
                bench.wake();
            }
            throw new AssertionError("user " + uid + " is not served");
        }

        private Answer ask(long uid) {
            var step = bench.step(uid, 1);
            if (step instanceof Step.Waiting waiting) {
                for (int i = 0; i < 10 && bench.stillWaits(waiting.ticket()); i++) {
                    pass(1_000);
                }
                return bench.outcome(waiting.ticket());
            }
            return bench.released(step);
        }
    }
}
