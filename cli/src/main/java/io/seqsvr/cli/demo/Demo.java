package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A cluster on this machine for people to break, line by line, while they are told what users see of it. */
public final class Demo {
    private final ClusterPlan plan;
    private final int users;
    private final Path parent;
    private final JavaProgram program;
    private final Consumer<String> tell;
    private final Consumer<LoadReport> last;
    private final AtomicBoolean over = new AtomicBoolean();

    /** What was typed, and in the end nothing. */
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private volatile @Nullable WatchedCluster watched;

    /**
     * A demo that has started nothing yet.
     *
     * @param plan without problems
     * @param users how many users ask, besides those of the Java client
     * @param parent where the cluster's directory is made
     * @param program what runs a node
     * @param tell gets what people read
     * @param last gets the report at the end, also when a signal ends the process
     */
    public Demo(
            ClusterPlan plan,
            int users,
            Path parent,
            JavaProgram program,
            Consumer<String> tell,
            Consumer<LoadReport> last) {
        this.plan = plan;
        this.users = users;
        this.parent = parent;
        this.program = program;
        this.tell = tell;
        this.last = last;
    }

    /**
     * Runs until somebody types quit or the time is over; blocks. When the input ends, it goes on.
     *
     * @param input what is typed
     * @param time how long, from when the cluster is ready; for ever if it is not given
     * @return what users saw
     * @throws io.seqsvr.chaos.process.NodeFailure if the cluster does not come up
     */
    public LoadReport run(BufferedReader input, Optional<Duration> time) throws IOException, InterruptedException {
        long start = System.nanoTime();
        var hook = new Thread(this::interrupted, "last-report");
        Runtime.getRuntime().addShutdownHook(hook);
        try (var nodes = LocalNodes.in(parent, "seqsvr-demo-", program);
                var cluster = new WatchedCluster(nodes, plan, users, start, tell)) {
            watched = cluster;
            try (var news = new News(cluster, tell)) {
                var prompt = new Prompt(cluster, news, tell);
                prompt.welcome();
                read(input);
                serve(prompt, time.map(Duration::toNanos).orElse(Long.MAX_VALUE));
            }
            return end(cluster);
        } catch (RuntimeException failed) {
            if (over.get()) {
                // The process ends, and takes its nodes down under whoever still looks at them.
                new CountDownLatch(1).await();
            }
            throw failed;
        }
    }

    private void read(BufferedReader input) {
        var reader = new Thread(
                () -> {
                    try (input) {
                        input.lines().forEach(line -> lines.add(Optional.of(line)));
                    } catch (IOException | RuntimeException broken) {
                        tell.accept("the input broke: " + broken.getMessage());
                    } finally {
                        lines.add(Optional.empty());
                    }
                },
                "input");
        reader.setDaemon(true);
        reader.start();
    }

    private void serve(Prompt prompt, long nanos) throws InterruptedException {
        long start = System.nanoTime();
        boolean goesOn = true;
        while (goesOn) {
            var line = lines.poll(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            // Nothing came in time, or an empty line stands for the end of the input, after which only time ends it.
            goesOn = line != null && (line.isEmpty() || prompt.obey(line.get()));
        }
    }

    private LoadReport end(WatchedCluster cluster) throws InterruptedException {
        cluster.load().record().freeze();
        var report = cluster.report();
        if (!over.compareAndSet(false, true)) {
            new CountDownLatch(1).await();
        }
        last.accept(report);
        return report;
    }

    /** By a signal: nodes go at the same time. */
    private void interrupted() {
        var cluster = watched;
        if (over.compareAndSet(false, true) && cluster != null) {
            cluster.load().record().freeze();
            last.accept(cluster.report());
        }
    }
}
