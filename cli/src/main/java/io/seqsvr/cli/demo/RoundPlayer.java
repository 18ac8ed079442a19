package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Plays rounds on a watched cluster: begins faults, sees that they show, lets them be for a while, and undoes them. */
final class RoundPlayer {
    private static final Duration TAKES_EFFECT_WITHIN = Duration.ofSeconds(30);
    /** Then it goes on: that a user waited so long is in the report. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration WELL_WITHIN = Duration.ofMinutes(3);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration REST = Duration.ofSeconds(2);
    private static final int BRIEF_ONE_IN = 3;

    private final ChaosPlan plan;
    private final WatchedCluster cluster;
    private final FaultMaker maker;
    private final SplittableRandom random;
    private final List<PlayedRound> played = new ArrayList<>();
    private int pairsNeeded;

    RoundPlayer(ChaosPlan plan, WatchedCluster cluster, FaultMaker maker, SplittableRandom random) {
        this.plan = plan;
        this.cluster = cluster;
        this.maker = maker;
        this.random = random;
    }

    /** What was played, in the end also what could not be played to its end. */
    List<PlayedRound> played() {
        return List.copyOf(played);
    }

    /** The last round could not be played to its end. */
    void brokenOff(String why) {
        if (!played.isEmpty()) {
            played.get(played.size() - 1).brokenOff(why);
        }
    }

    /** Fewer straddling pairs prove nothing. */
    int pairsNeeded() {
        return pairsNeeded;
    }

    /**
     * Plays one round, and waits until all is well again.
     *
     * @throws io.seqsvr.chaos.process.NodeFailure if a fault cannot be made, or a node does not come back
     */
    void play(List<Rounds.Strike> strikes) {
        boolean brief = !played.isEmpty()
                && plan.cells().isEmpty()
                && strikes.stream().allMatch(strike -> canBeBrief(strike.fault()))
                && random.nextInt(BRIEF_ONE_IN) == 0;
        var faults = new ArrayList<Fault>();
        strikes.forEach(strike -> faults.addAll(maker.make(strike)));
        var cause = faults.stream().map(Fault::name).collect(Collectors.joining(" + "));
        var bound = plan.boundOf(strikes.stream().map(Rounds.Strike::fault).toList());
        var round = new PlayedRound(
                played.size() + 1,
                cell(strikes),
                faults.stream().map(Fault::name).toList(),
                bound,
                () -> System.nanoTime() - cluster.begunNanos(),
                cluster.load().record()::broken,
                cluster.load().record()::straddles);
        played.add(round);
        boolean moves = !brief && moves(strikes);
        pairsNeeded += moves ? 1 : 0;
        var episode = cluster.log().begin(cause);
        round.begun(episode.number());
        try {
            faults.forEach(Fault::start);
            cluster.load().lookElsewhere();
            hold(strikes, faults, brief, round);
            undo(faults);
        } finally {
            cluster.log().end(episode);
        }
        awaitWell();
        round.ended();
        if (moves) {
            round.requirePairs();
        }
        Waiting.pass(upTo(REST));
    }

    /** Nothing moves while there is no StoreSvr. */
    private static boolean moves(List<Rounds.Strike> strikes) {
        return strikes.stream().anyMatch(strike -> strike.fault().movesSegments())
                && strikes.stream().noneMatch(strike -> strike.fault().victim() == Victim.STORES);
    }

    private static boolean canBeBrief(ClusterFault fault) {
        return fault.kind().silences() && fault.kind() != FaultKind.KILL;
    }

    private static String cell(List<Rounds.Strike> strikes) {
        return strikes.stream().map(strike -> strike.fault().name()).sorted().collect(Collectors.joining(" + "));
    }

    private void hold(List<Rounds.Strike> strikes, List<Fault> faults, boolean brief, PlayedRound round) {
        long since = System.nanoTime();
        for (var fault : faults) {
            if (!Waiting.until(fault::isInEffect, TAKES_EFFECT_WITHIN)) {
                round.withoutEffect(fault.name());
            }
        }
        if (brief) {
            Waiting.pass(upTo(plan.cluster().ttl()));
            return;
        }
        var least = strikes.stream()
                .map(strike -> strike.fault().lasts(plan.cluster()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        Waiting.pass(least);
        // What a lease lets an owner go on with for a while says nothing of what comes after.
        long from = least.isZero() ? since : System.nanoTime();
        if (strikes.stream().noneMatch(strike -> strike.fault().victim() == Victim.STORES)) {
            var unused = Waiting.until(() -> cluster.load().record().everybodyIsServedSince(from), PATIENCE);
        }
        Waiting.pass(upTo(REST));
    }

    /** Also where one of them cannot be undone. */
    private static void undo(List<Fault> faults) {
        Optional<RuntimeException> first = Optional.empty();
        for (var fault : faults) {
            try {
                fault.stop();
            } catch (RuntimeException failed) {
                first = first.or(() -> Optional.of(failed));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos()));
    }

    /** Every node serves, and every user is served. */
    private void awaitWell() {
        for (var node : cluster.nodes().all()) {
            node.awaitReady(WELL_WITHIN, BETWEEN_LOOKS);
        }
        long since = System.nanoTime();
        var unused = Waiting.until(() -> cluster.load().record().everybodyIsServedSince(since), PATIENCE);
    }
}
