package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.LocalNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Tells when what a fault has upset is well again. */
final class News implements AutoCloseable {
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    private final WatchedCluster cluster;
    private final Consumer<String> tell;
    private final List<Awaited> awaited = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "news");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Something that is to become so.
     *
     * @param isSo whether it is
     * @param what what is told then, before the time that it took
     * @param sinceNanos since when it is awaited
     */
    private record Awaited(BooleanSupplier isSo, String what, long sinceNanos) {}

    News(WatchedCluster cluster, Consumer<String> tell) {
        this.cluster = cluster;
        this.tell = tell;
        var unused = looks.scheduleWithFixedDelay(
                this::look, BETWEEN_LOOKS_MILLIS, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A fault began: when is everybody answered again? */
    void faultBegan(String name, long sinceNanos) {
        awaited.add(new Awaited(
                () -> cluster.load().record().everybodyIsServedSince(sinceNanos),
                name + ": every user is answered again",
                sinceNanos));
    }

    /** A node was started: when does it serve? */
    void nodeStarts(LocalNode node, long sinceNanos) {
        awaited.add(new Awaited(node::isReady, node.name() + " serves again", sinceNanos));
    }

    /** Whether everything awaited so far has come. */
    boolean isAllWell() {
        return awaited.isEmpty();
    }

    private void look() {
        var come = new ArrayList<Awaited>();
        for (var each : awaited) {
            if (each.isSo().getAsBoolean()) {
                double seconds = (System.nanoTime() - each.sinceNanos()) / 1e9;
                tell.accept(String.format(Locale.ROOT, "%s, after %.1f s", each.what(), seconds));
                come.add(each);
            }
        }
        awaited.removeAll(come);
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
