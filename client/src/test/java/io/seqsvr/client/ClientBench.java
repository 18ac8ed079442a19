package io.seqsvr.client;

import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.core.namespace.Namespace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what a call of {@code next} costs the caller's side: two threads with 1,000 open calls each, against a fake
 * owner of 1,000,000 users in this process, over a real socket. What counts is the CPU time of the client's own
 * threads: it means the same on a busy machine. {@code bench/client.sh} runs it. Arguments: windows, seconds of each,
 * frames in flight, users remembered.
 */
final class ClientBench {
    private static final int THREADS = 2;
    private static final int OPEN = 1_000;
    private static final Namespace USERS = new Namespace(1, "messages", 1_000_000, 100_000, 10_000, 1_000, 1L << 53);
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private ClientBench() {}

    public static void main(String[] args) {
        int windows = argument(args, 0, 5);
        int seconds = argument(args, 1, 4);
        try (var owner = new FakeOwner(USERS).byItself()) {
            var foreign = threads();
            try (var client = SequenceClient.builder()
                    .endpoint(owner.address())
                    .namespace("messages")
                    .framesInFlight(argument(args, 2, 2))
                    .rememberedUsers(argument(args, 3, 1 << 16))
                    .timeout(Duration.ofSeconds(30))
                    .build()) {
                client.blocking().next(1);
                measure(client, foreign, windows, seconds);
            }
        }
    }

    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static int argument(String[] args, int index, int usual) {
        return args.length > index ? Integer.parseInt(args[index]) : usual;
    }

    private static Set<Long> threads() {
        var all = new HashSet<Long>();
        for (long id : CPU.getAllThreadIds()) {
            all.add(id);
        }
        return all;
    }

    private static void measure(SequenceClient client, Set<Long> foreign, int windows, int seconds) {
        var ended = new LongAdder();
        var failed = new LongAdder();
        for (int i = 0; i < THREADS; i++) {
            var random = new SplittableRandom(i);
            var thread = new Thread(() -> ask(client, random, ended, failed), "application-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        for (int window = 0; window < windows; window++) {
            long calls = ended.sum();
            long frames = client.counts().count(Event.FRAMES);
            long[] before = nanos(foreign);
            pause(1_000_000_000L * seconds);
            long[] after = nanos(foreign);
            calls = ended.sum() - calls;
            frames = client.counts().count(Event.FRAMES) - frames;
            System.out.printf(
                    "%d calls/s by the wall clock, %d calls a frame; CPU a call: application %d ns, loop %d ns,"
                            + " together %d ns; failed %d, backward %d%n",
                    calls / seconds,
                    calls / Math.max(1, frames),
                    (after[0] - before[0]) / calls,
                    (after[1] - before[1]) / calls,
                    (after[0] + after[1] - before[0] - before[1]) / calls,
                    failed.sum(),
                    client.backward());
        }
    }

    /** CPU time of the application's threads, and of the client's. */
    private static long[] nanos(Set<Long> foreign) {
        long application = 0;
        long client = 0;
        for (long id : CPU.getAllThreadIds()) {
            var info = CPU.getThreadInfo(id);
            if (info == null) {
                continue;
            }
            if (info.getThreadName().startsWith("application-")) {
                application += CPU.getThreadCpuTime(id);
            } else if (!foreign.contains(id) && info.getThreadName().startsWith("vert.x-eventloop")) {
                client += CPU.getThreadCpuTime(id);
            }
        }
        return new long[] {application, client};
    }

    private static void ask(SequenceClient client, SplittableRandom random, LongAdder ended, LongAdder failed) {
        var open = new AtomicInteger();
        while (true) {
            while (open.get() >= OPEN) {
                LockSupport.parkNanos(20_000);
            }
            open.incrementAndGet();
            client.next(random.nextLong(USERS.capacity())).whenComplete((range, error) -> {
                if (error != null) {
                    failed.increment();
                }
                ended.increment();
                open.decrementAndGet();
            });
        }
    }
}
