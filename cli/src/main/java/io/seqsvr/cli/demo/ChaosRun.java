package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.RunVerdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Faults, round after round, in a cluster that nobody watches but its users. */
public final class ChaosRun {
    private final ChaosPlan plan;
    private final Opening opening;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile long begunNanos;
    private volatile @Nullable Scene playing;
    /** Whether peers could be compared each time before one of them was replaced. */
    private boolean comparedBefore = true;

    /**
     * A run that has started nothing yet.
     *
     * @param plan whose cluster has no problems, and whose faults this machine lets us make
     * @param program what runs a node
     * @param progress gets a line now and then
     */
    public ChaosRun(ChaosPlan plan, JavaProgram program, Consumer<String> progress) {
        this(
                plan,
                random -> plan.living().isPresent()
                        ? LivingScene.open(plan, plan.living().get(), random)
                        : OwnScene.open(plan, program, random, progress),
                progress);
    }

    /** What opens the scene of a run. */
    @FunctionalInterface
    interface Opening {
        /** Opens it, with what draws from the run's seed. */
        Scene open(SplittableRandom random) throws IOException;
    }

    ChaosRun(ChaosPlan plan, Opening opening, Consumer<String> progress) {
        this.plan = plan;
        this.opening = opening;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    /** How much of it is over, from 0 to 1; safe for any thread. */
    public double progress() {
        if (playing == null) {
            return 0;
        }
        double done = plan.cells().isEmpty()
                ? (System.nanoTime() - begunNanos) / (plan.timing().minutes() * TimeUnit.MINUTES.toNanos(1))
                : (double) rounds.get() / plan.cells().size();
        return Math.min(1, done);
    }

    /** How far it is, in words; safe for any thread. */
    public String soFar() {
        var scene = playing;
        if (scene == null) {
            return "starting";
        }
        var seen = scene.record().soFar();
        return String.format(
                Locale.ROOT,
                "%,d operations  %,d changes of owner  %,d straddling pairs  %,d rounds  longest wait %,d ms",
                seen.operations(),
                seen.power().changes(),
                seen.power().straddles(),
                rounds.get(),
                TimeUnit.NANOSECONDS.toMillis(seen.longestNanos()));
    }

    /** Who is told how a run goes. */
    public interface Watcher {
        /** What there is after a round; it may be the last that is heard of the run. */
        void soFar(ChaosResult result);

        /** Where the logs of the nodes go if the run is no pass, which then are gone; empty if nobody wants them. */
        Optional<Path> logs();
    }

    /**
     * Runs until it is over and the last fault undone; blocks. If a fault cannot be made or a node does not come back,
     * it is broken off, which the result says, as it does if something is left of the cluster.
     *
     * @throws NodeFailure if the cluster does not come up, or does not answer
     */
    public ChaosResult run(Watcher watcher) throws IOException {
        ChaosResult result;
        var scene = opening.open(random);
        try {
            result = play(scene, watcher);
        } catch (RuntimeException failed) {
            try {
                scene.close();
            } catch (RuntimeException alsoFailed) {
                failed.addSuppressed(alsoFailed);
            }
            throw failed;
        }
        try {
            scene.close();
            return result;
        } catch (RuntimeException left) {
            // What was seen stands.
            return result.alsoBrokenOff("not all could be removed: " + left.getMessage());
        }
    }

    private ChaosResult play(Scene scene, Watcher watcher) {
        var player = new RoundPlayer(plan, scene, random, Waiting.REAL);
        begunNanos = System.nanoTime();
        playing = scene;
        var brokenOff = rounds(scene, player, watcher);
        boolean compared = false;
        Optional<String> incomparable = Optional.empty();
        try {
            // Also if it was broken off: perhaps because of what a comparison shows.
            compared = scene.compare() && comparedBefore && brokenOff.isEmpty();
        } catch (RuntimeException failed) {
            incomparable = Optional.of("what the nodes hold in the end could not be looked at: " + words(failed));
        }
        scene.record().freeze();
        var seen = result(scene, player, brokenOff, true, compared, scene.report());
        var result = incomparable.map(seen::alsoBrokenOff).orElse(seen);
        return result.verdict() == RunVerdict.PASS
                ? result
                : watcher.logs().map(to -> withLogs(result, scene, to)).orElse(result);
    }

    /** What was seen stands, also where the logs cannot be had. */
    private ChaosResult withLogs(ChaosResult result, Scene scene, Path to) {
        try {
            if (scene.copyLogs(to)) {
                progress.accept("what the nodes have logged is in " + to);
            }
            return result;
        } catch (IOException | RuntimeException failed) {
            return result.alsoBrokenOff(
                    "what the nodes have logged could not be copied to " + to + ": " + words(failed));
        }
    }

    private static String words(Exception failure) {
        return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }

    private ChaosResult result(
            Scene scene,
            RoundPlayer player,
            Optional<String> brokenOff,
            boolean over,
            boolean compared,
            LoadReport seen) {
        return new ChaosResult(
                plan,
                player.played().stream().map(round -> round.seenIn(seen.seen())).toList(),
                player.pairsNeeded(),
                brokenOff,
                over,
                compared,
                scene.network(),
                seen);
    }

    /** Why it ended before its time, if it did. */
    private Optional<String> rounds(Scene scene, RoundPlayer player, Watcher watcher) {
        // Not before it is its turn: that it cannot be done ends the run, and not what was seen.
        var first = plan.forPower().stream().map(scene::only);
        Iterator<Scene.Act> all = plan.cells().isEmpty()
                ? Stream.concat(first, Stream.generate(scene::draw)).iterator()
                : Stream.concat(first, plan.cells().stream().map(scene::only)).iterator();
        try {
            if (scene.record().broken() > 0) {
                // While it warmed up. So there is a file of it, and logs beside that.
                watcher.soFar(result(scene, player, Optional.empty(), false, false, scene.soFar()));
            }
            player.onFirstBreach(
                    () -> watcher.soFar(result(scene, player, Optional.empty(), false, false, scene.soFar())));
            boolean goesOn = true;
            // A broken promise is what it was looking for.
            while (goesOn && scene.record().broken() == 0) {
                var act = all.next();
                if (act.kinds().stream().anyMatch(ClusterFault::replacesItsNode)) {
                    // With the peer goes what it might have shown in the end.
                    comparedBefore &= scene.compare();
                }
                player.play(act);
                rounds.incrementAndGet();
                watcher.soFar(result(scene, player, Optional.empty(), false, false, scene.soFar()));
                goesOn = plan.cells().isEmpty() ? progress() < 1 : all.hasNext();
            }
            return Optional.empty();
        } catch (NodeFailure | IllegalStateException | UncheckedIOException failure) {
            // A node that does not come back, or a machine that does not do what a fault needs of it.
            return brokenOff(player, String.valueOf(failure.getMessage()));
        } catch (RuntimeException defect) {
            // Of ours: what was seen so far is worth no less for it.
            progress.accept("a defect of the run itself: " + Arrays.toString(defect.getStackTrace()));
            return brokenOff(player, "a defect of the run itself: " + defect);
        }
    }

    private static Optional<String> brokenOff(RoundPlayer player, String why) {
        player.brokenOff(why);
        return Optional.of(why);
    }
}
