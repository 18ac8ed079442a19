package io.seqsvr.cli;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.socket.FilesWatch;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process around one tier or several: meters, event loops, and an orderly end on a signal, last started first
 * stopped.
 */
final class NodeProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);
    /** Longer than any tier takes to hand over what it has. */
    private static final long IN_ORDER_WITHIN_SECONDS = 15;

    private static final ScheduledExecutorService HALTING = Executors.newSingleThreadScheduledExecutor(halt -> {
        var thread = new Thread(halt, "halt");
        thread.setDaemon(true);
        return thread;
    });

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final List<Vertx> loops = new ArrayList<>();
    private final Build build = Build.current();
    private final Deque<Runnable> started = new ArrayDeque<>();
    /** Held by whoever ends the process, and never let go. */
    private final Object ending = new Object();

    NodeProcess() {
        build.register(registry.getPrometheusRegistry());
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Event loops of one tier: its own, so that tiers in one process do not wait for each other. */
    Vertx newLoop() {
        var vertx = NodeServer.newVertx();
        loops.add(vertx);
        return vertx;
    }

    /** Something was started; {@code stop} takes it down. */
    void started(Runnable stop) {
        started.push(stop);
    }

    /** Stops the process at once, as nothing that it would still do can be trusted. */
    void fatal(Throwable cause) {
        // One line: what else breaks at the same moment follows from the same fault.
        synchronized (ending) {
            LOG.error("event=fatal error=\"{}\"", cause.getMessage(), cause);
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
    }

    /** All has started. Not told before: what does not start says why, and nothing else. */
    void tellsThatItRuns() {
        LOG.info("event=running version={} commit={} java={}", build.version(), build.state(), Runtime.version());
    }

    /** Takes everything down when the process is told to end, and when it gets no more files. */
    void closeOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "shutdown"));
        var files = FilesWatch.start(this::endInOrder);
        started(files::close);
    }

    /** What it has is handed over still; not for ever, as something else may be missing for that. */
    private void endInOrder(String why) {
        LOG.error("event=fatal error=\"{}\"", why);
        var unused = HALTING.schedule(
                () -> Runtime.getRuntime().halt(ExitCode.FAILED), IN_ORDER_WITHIN_SECONDS, TimeUnit.SECONDS);
        System.exit(ExitCode.FAILED);
    }

    /** Waits for ever: the process ends by a signal. */
    static void awaitSignal() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Takes everything down, last started first. */
    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            var stop = started.pop();
            try {
                stop.run();
            } catch (RuntimeException failed) {
                // What was started before it still has to be stopped.
                LOG.warn("event=close_failed error=\"{}\"", failed.getMessage(), failed);
            }
        }
        loops.forEach(vertx -> vertx.close().await());
        loops.clear();
        collections.close();
    }
}
