package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Two threads meet at the box, in all the orders that a model checker finds within its bound. */
@Tag("orders")
@Isolated("the model checker changes what it finds loaded")
final class MailboxOrdersTest {
    private static final int ORDERS = 200;

    /** As an event loop, but that what it is given is done when somebody says so. */
    private static final class Loop implements Executor {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private volatile boolean ending;

        @Override
        public void execute(Runnable task) {
            if (ending) {
                throw new RejectedExecutionException("the loop ends");
            }
            tasks.add(task);
        }

        void run() {
            for (var task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    /** A box in which something waits, and what has become of all that was put down. */
    private static final class Scene {
        private final Loop loop = new Loop();
        private final List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
        private final List<Integer> late = Collections.synchronizedList(new ArrayList<>());
        private final Mailbox<Integer> mailbox = new Mailbox<>(4, loop, this::take, late::add);

        Scene(int waiting) {
            for (int item = 1; item <= waiting; item++) {
                mailbox.put(item);
            }
        }

        void take() {
            mailbox.take(taken::add);
        }

        /** One of them on a thread of its own, then what is left for the loop. */
        void meet(Runnable here, Runnable there) {
            var other = new Thread(there);
            other.start();
            here.run();
            try {
                other.join();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
            loop.run();
        }

        List<Integer> all() {
            var all = new ArrayList<>(taken);
            all.addAll(late);
            Collections.sort(all);
            return all;
        }
    }

    @Test
    void whatComesAsTheLoopFallsAsleepWakesIt() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(1);
            scene.meet(scene.loop::run, () -> scene.mailbox.put(2));
            assertEquals(List.of(1, 2), scene.all());
            assertEquals(List.of(), scene.late);
        });
    }

    @Test
    void twoThatComeAtOnceAreBothTaken() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(0);
            scene.meet(() -> scene.mailbox.put(1), () -> scene.mailbox.put(2));
            assertEquals(List.of(1, 2), scene.all());
            assertEquals(List.of(), scene.late);
        });
    }

    @Test
    void whatComesWhileTheBoxIsClosedIsTurnedAwayOnce() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(1);
            scene.meet(scene.mailbox::close, () -> scene.mailbox.put(2));
            assertEquals(List.of(1, 2), scene.all());
        });
    }

    @Test
    void whatComesToAClosedBoxIsTurnedAwayOnce() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(1);
            scene.mailbox.close();
            scene.meet(scene.loop::run, () -> scene.mailbox.put(2));
            assertEquals(List.of(1, 2), scene.late);
        });
    }

    @Test
    void whatComesWhileTheLoopEndsIsTakenOrTurnedAwayOnce() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(1);
            scene.meet(
                    () -> {
                        scene.loop.ending = true;
                        scene.loop.run();
                    },
                    () -> scene.mailbox.put(2));
            assertEquals(List.of(1, 2), scene.all());
        });
    }

    @Test
    void whatOneTakesNobodyElseTurnsAway() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            var scene = new Scene(2);
            scene.meet(scene::take, scene.mailbox::close);
            assertEquals(List.of(1, 2), scene.all());
        });
    }
}
