package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.AllocatorEffect.Send;
import io.seqsvr.core.alloc.AllocatorEffect.Tell;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreReply.FloorRaised;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One story of a segment that goes to and fro, told again with a fault at its first command or message, at its second,
 * and so on to the last: no number comes twice, none goes back, and in the end somebody serves.
 */
class HandOverFaultAtEachStepTest {
    private enum Fault {
        /** It never arrives. */
        LOST,
        /** It arrives, but nobody hears of what came of it. */
        ANSWER_LOST,
        /** It arrives twice. */
        TWICE,
        /** It arrives some steps later. */
        SLOW,
        /** Its sender's session ends at StoreSvr, just before it arrives. */
        SENDER_EXPIRED,
        /** Its sender is expelled just before it arrives. */
        SENDER_EXPELLED,
        /** A floor is raised at StoreSvr, if it may be, just before it arrives. */
        FLOOR
    }

    @ParameterizedTest
    @CsvSource({
        "LOST, LEASE", "LOST, QUORUM",
        "ANSWER_LOST, LEASE", "ANSWER_LOST, QUORUM",
        "TWICE, LEASE", "TWICE, QUORUM",
        "SLOW, LEASE", "SLOW, QUORUM",
        "SENDER_EXPIRED, LEASE", "SENDER_EXPIRED, QUORUM",
        "SENDER_EXPELLED, LEASE", "SENDER_EXPELLED, QUORUM",
        "FLOOR, LEASE", "FLOOR, QUORUM",
    })
    void oneFaultAtAnyStepCostsNoGuaranteeAndHealsByItself(Fault fault, Order order) {
        int steps = new Story(fault, order, Integer.MAX_VALUE).run();
        assertTrue(steps > 20, "the story has only " + steps + " steps");
        Set<String> kinds = new HashSet<>();
        for (int step = 1; step <= steps; step++) {
            var story = new Story(fault, order, step);
            try {
                story.run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(fault + " at step " + step + ", " + story.hit, failure);
            }
            kinds.addAll(story.hit);
        }
        var handOver = List.of("HandOver", "Pages", "PagesTaken", "TableSealed", "TableTaken");
        assertTrue(kinds.containsAll(handOver), kinds::toString);
    }

    /** Two allocators hand one segment to and fro while both are asked by turns. */
    private static final class Story {
        private final Fault fault;
        private final int faultAt;
        private final Pair pair;
        private final Map<Long, Long> lastOf = new HashMap<>();
        private final List<Asked> asked = new ArrayList<>();
        private final Set<String> hit = new HashSet<>();
        private final List<Runnable> late = new ArrayList<>();
        private int steps;
        private int served;
        private boolean healing;

        /** A request that waits, and what its user had been given when it began. */
        private record Asked(Bench bench, long ticket, long floor) {}

        Story(Fault fault, Order order, int faultAt) {
            this.fault = fault;
            this.faultAt = faultAt;
            this.pair = new Pair(Bench.MESSAGES.withOrder(order));
            pair.alice.decideCommands(send -> command(pair.alice, send));
            pair.bob.decideCommands(send -> command(pair.bob, send));
        }

        int run() {
            for (int round = 0; round < 4; round++) {
                var from = round % 2 == 0 ? pair.alice : pair.bob;
                var to = round % 2 == 0 ? pair.bob : pair.alice;
                for (int i = 0; i < 12; i++) {
                    pass(1);
                    if (i == 4) {
                        from.handOver(0, to.allocator.session());
                    }
                }
            }
            int told = steps;
            healing = true;
            heal();
            return told;
        }

        /** Everybody who lost its session comes back, somebody gets the segment, and both users are served. */
        private void heal() {
            for (int tries = 0; tries < 60 && !isWell(); tries++) {
                for (var session : List.copyOf(pair.store.state().sessions())) {
                    if (session.id() != pair.alice.allocator.session()
                            && session.id() != pair.bob.allocator.session()) {
                        pair.store.expire(session.id());
                    }
                }
                var row = pair.store.segment(1, 0);
                boolean free = row.isReleased()
                        || pair.store.state().session(row.owner()).isEmpty();
                boolean mayReceive = pair.store
                        .state()
                        .session(pair.bob.allocator.session())
                        .filter(bob -> !bob.expelled())
                        .isPresent();
                if (free && mayReceive) {
                    pair.publish(0, pair.bob.allocator.session());
                }
                pass(50);
            }
            assertTrue(isWell(), "nobody serves any more");
        }

        /** Both have sessions, and both users are served within ten ticks. */
        private boolean isWell() {
            int before = served;
            pass(10);
            return served > before + 4 && pair.alice.allocator.session() != 0 && pair.bob.allocator.session() != 0;
        }

        private void pass(int ticks) {
            for (int i = 0; i < ticks; i++) {
                pair.passMillis(Bench.TICK_MILLIS);
                if (!late.isEmpty() && (healing || steps > faultAt + 9)) {
                    late.remove(0).run();
                }
                post(pair.alice, pair.bob);
                post(pair.bob, pair.alice);
                pair.alice.wake();
                pair.bob.wake();
                ask(pair.alice, i);
                ask(pair.bob, i);
                for (var waiting : List.copyOf(asked)) {
                    if (!waiting.bench().stillWaits(waiting.ticket())) {
                        asked.remove(waiting);
                        leaves(waiting.bench().outcome(waiting.ticket()), waiting.floor());
                    }
                }
            }
        }

        private void post(Bench from, Bench to) {
            var messages = List.copyOf(from.told);
            from.told.clear();
            for (var tell : messages) {
                message(from, to, tell);
            }
        }

        private void message(Bench from, Bench to, Tell tell) {
            if (!isHit(tell.message().getClass().getSimpleName())) {
                to.hear(from, tell.message());
                return;
            }
            long sender = from.allocator.session();
            switch (fault) {
                case LOST, ANSWER_LOST -> {}
                case TWICE -> {
                    to.hear(from, tell.message());
                    to.hear(from, tell.message());
                }
                case SLOW -> late.add(() -> to.hear(from, tell.message()));
                default -> {
                    strike(sender);
                    to.hear(from, tell.message());
                }
            }
        }

        private void command(Bench bench, Send send) {
            if (!isHit(send.command().getClass().getSimpleName())) {
                bench.execute(send);
                return;
            }
            switch (fault) {
                case LOST -> bench.lose(send);
                case ANSWER_LOST -> {
                    pair.store.execute(send.command());
                    bench.lose(send);
                }
                case TWICE -> {
                    pair.store.execute(send.command());
                    bench.execute(send);
                }
                case SLOW -> late.add(() -> bench.execute(send));
                default -> {
                    strike(bench.allocator.session());
                    bench.execute(send);
                }
            }
        }

        private boolean isHit(String kind) {
            steps++;
            if (steps == faultAt && !healing) {
                hit.add(kind);
                return true;
            }
            return false;
        }

        private void strike(long sender) {
            if (pair.store.state().session(sender).isEmpty()) {
                return;
            }
            switch (fault) {
                case SENDER_EXPIRED -> {
                    // The lease that it still has is over by then.
                    pair.clock.passMillis(Bench.LEASE.granterNanos() / 1_000_000);
                    pair.store.expire(sender);
                }
                case SENDER_EXPELLED -> pair.store.execute(new Expel(sender));
                default -> floor();
            }
        }

        private void floor() {
            var row = pair.store.segment(1, 0);
            var command = new RaiseFloor(row.id(), row.maxSeq() + 5);
            if (pair.store.execute(command) instanceof FloorRaised) {
                lastOf.replaceAll((uid, last) -> Math.max(last, command.floor()));
            }
        }

        /** User 3 asks for many numbers, so that some wait for raises; user 4 for one, now and then. */
        private void ask(Bench bench, int tick) {
            if (tick % 3 == 0) {
                take(bench, 4, 1);
            }
            take(bench, 3, 17);
        }

        private void take(Bench bench, long uid, long count) {
            long floor = lastOf.getOrDefault(uid, 0L);
            var step = bench.step(uid, count);
            if (step instanceof Step.Waiting waiting) {
                asked.add(new Asked(bench, waiting.ticket(), floor));
            } else {
                leaves(bench.released(step), floor);
            }
        }

        private void leaves(Answer answer, long floor) {
            if (answer instanceof Answer.Range range) {
                assertTrue(range.first() > floor, () -> range + " though " + floor + " had left before");
                assertTrue(range.last() <= pair.store.segment(1, 0).maxSeq(), () -> range + " above max_seq");
                lastOf.merge(range.uid(), range.last(), Math::max);
                served++;
            }
        }
    }
}
