package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.live.BystanderCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Plays rounds on a scene: begins faults, sees that they show, lets them be for a while, and undoes them. */
final class RoundPlayer {
    /** Longer than a peer needs until it writes a snapshot, for which its disk has to have room. */
    private static final Duration TAKES_EFFECT_WITHIN = Duration.ofSeconds(90);
    /** Then it goes on: that a user waited so long is in the report. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * Users have other routers, and miss nothing while one of them is ready but answers nobody; nor does it show in
     * their waits that calls for many of them fail in part.
     */
    private static final Duration ALL_ANSWER_WITHIN = Duration.ofSeconds(20);

    /** Longer than callers are patient with routers. */
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(5);

    /** A router evens out what a round leaves some seconds later. */
    private static final Duration SHARED_WITHIN = Duration.ofSeconds(20);

    /** A peer that was away for long takes a snapshot in. */
    private static final Duration FOLLOWS_WITHIN = Duration.ofMinutes(1);

    /**
     * After the bound. Those who ask begin together and take equally many, so that max_seq is raised in waves: between
     * two of them nobody needs it, for as long as a step lasts.
     */
    private static final Duration RAISES_WITHIN = Duration.ofSeconds(20);

    private static final Duration REST = Duration.ofSeconds(2);
    private static final int BRIEF_ONE_IN = 3;

    private final ChaosPlan plan;
    private final Scene scene;
    private final SplittableRandom random;
    private final Waiting waiting;
    private final List<PlayedRound> played = new ArrayList<>();
    /** Whose breach was told. */
    private final Set<Fault> breaches = new HashSet<>();

    private Runnable onFirstBreach = () -> {};
    private boolean breachTold;
    private int pairsNeeded;

    RoundPlayer(ChaosPlan plan, Scene scene, SplittableRandom random, Waiting waiting) {
        this.plan = plan;
        this.scene = scene;
        this.random = random;
        this.waiting = waiting.meanwhile(this::tellOfBreach);
    }

    /** This is done once, as soon as a promise is broken in a round: the round may never come to its end. */
    void onFirstBreach(Runnable tell) {
        onFirstBreach = tell;
    }

    private void tellOfBreach() {
        if (!breachTold && scene.users().broken() > 0) {
            breachTold = true;
            onFirstBreach.run();
        }
    }

    /** What was played, in the end also what could not be played to its end. */
    List<PlayedRound> played() {
        return List.copyOf(played);
    }

    /** The last round, unless it is over, could not be played to its end. */
    void brokenOff(String why) {
        if (!played.isEmpty() && !played.get(played.size() - 1).isOver()) {
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
    void play(Scene.Act act) {
        var kinds = act.kinds();
        boolean brief =
                !played.isEmpty() && kinds.stream().allMatch(plan::canBeBrief) && random.nextInt(BRIEF_ONE_IN) == 0;
        var names = act.faults().stream().map(Fault::name).toList();
        var bound = plan.boundOf(kinds);
        var users = scene.users();
        var round = new PlayedRound(
                played.size() + 1,
                plan.cell(kinds),
                names,
                bound,
                () -> waiting.nanoTime() - scene.begunNanos(),
                users::broken,
                users::straddles);
        round.heedPauses(users::pausedNanos);
        played.add(round);
        if (plan.leavesNoGap(kinds)) {
            round.requireNoGap();
        }
        if (plan.isolatesRounds() && act.struck().isPresent()) {
            round.requireBystanders();
        }
        var raises = new Raises(
                () -> !brief && plan.showsByRaises(kinds) ? scene.granted() : OptionalLong.empty(), waiting::nanoTime);
        var wakings = new Wakings(!brief && plan.wakesAnOwner(kinds) ? act.woken() : Map.of(), users, waiting);
        boolean moves = !brief && plan.moves(kinds);
        pairsNeeded += moves ? 1 : 0;
        var episode = scene.log().begin(names);
        var bystanders = act.struck().map(users::watchCallsWithout).orElseGet(users::watchNobody);
        users.beginRound();
        long deposed = users.deposed();
        round.begun(episode.number(), bystanders);
        try {
            strike(act, brief, round, bystanders, raises, wakings);
            scene.log().undone(episode);
            for (var fault : act.faults()) {
                if (!waiting.until(fault::hasShown, TAKES_EFFECT_WITHIN)) {
                    round.withoutEffect(fault.name());
                }
            }
            awaitWell(round);
            var unheard = wakings.unheard();
            if (!unheard.isEmpty()) {
                round.couldNotHaveShown("no call waited at it when it went on: what a deposed owner says", unheard);
            }
            if (moves && !waiting.until(() -> users.deposed() > deposed, SETTLED_WITHIN)) {
                round.couldNotHaveShown("no former owner was asked after its time: what it says then", names);
            }
            bystanders.end();
            var unused = waiting.until(bystanders::isSettled, SETTLED_WITHIN);
            round.ended();
            if (moves) {
                round.requirePairs();
            }
            awaitShares(round);
        } finally {
            // What users wait for until owners have their shares again is of this round; what they do later is not.
            scene.log().end(episode);
        }
        waiting.pass(upTo(REST));
    }

    private void awaitShares(PlayedRound round) {
        if (plan.isolatesRounds()) {
            if (!waiting.until(scene.users()::everyOwnerHasItsShare, SHARED_WITHIN)) {
                round.leftUnwell("owners had not their shares " + SHARED_WITHIN.toSeconds() + " s after it was over");
            }
            if (!waiting.until(scene::storesFollow, FOLLOWS_WITHIN)) {
                round.leftUnwell("a peer of StoreSvr did not follow within " + FOLLOWS_WITHIN.toSeconds() + " s");
            }
        }
    }

    private void strike(
            Scene.Act act,
            boolean brief,
            PlayedRound round,
            BystanderCalls.Watch bystanders,
            Raises raises,
            Wakings wakings) {
        var begun = new ArrayList<Fault>();
        long since;
        try {
            raises.look();
            wakings.begin();
            for (var fault : act.faults()) {
                fault.start();
                begun.add(fault);
            }
            scene.users().lookElsewhere();
            since = waiting.nanoTime();
            awaitEffect(act, round);
            if (plan.holdsUsersUp(act.kinds())) {
                round.allowMore(Duration.ofNanos(waiting.nanoTime() - since));
            }
            // Until it shows, a struck owner may be given more users, to even out what the last round left.
            act.struck().ifPresent(struck -> bystanders.leaveOut(scene.users().usersOf(struck)));
            hold(act, brief, since, () -> {
                raises.look();
                act.faults().forEach(Fault::keepUp);
            });
            if (plan.canBeServedMeanwhile(act.kinds())) {
                awaitRaises(act, brief, round, raises, forRaises(act, since));
            }
            for (var fault : act.faults()) {
                var unused = breaks(fault);
            }
        } catch (RuntimeException impossible) {
            // The run ends, and nothing may outlive it: a frozen process could not even be killed.
            try {
                undo(begun, new Wakings(Map.of(), scene.users(), waiting));
            } catch (RuntimeException alsoImpossible) {
                impossible.addSuppressed(alsoImpossible);
            }
            throw impossible;
        }
        undo(act.faults(), wakings);
        if (!plan.canBeServedMeanwhile(act.kinds())) {
            awaitRaises(act, brief, round, raises, forRaises(act, since));
        }
    }

    /** What is left, of a round that struck then, until whoever is left of StoreSvr has to have raised max_seq. */
    private Duration forRaises(Scene.Act act, long since) {
        return plan.boundOf(act.kinds()).plus(RAISES_WITHIN).minusNanos(waiting.nanoTime() - since);
    }

    private void awaitRaises(Scene.Act act, boolean brief, PlayedRound round, Raises raises, Duration within) {
        // Where it was said how long all lasts, that may be too short for any.
        boolean asked = !brief && plan.timing().lasting().isEmpty() && plan.showsByRaises(act.kinds());
        if (asked && !waiting.until(raises::goOn, within)) {
            round.couldNotHaveShown(
                    "max_seq was not raised meanwhile, and owners need StoreSvr for leases only: that it was away for a"
                            + " shorter time",
                    act.faults().stream().map(Fault::name).toList());
        }
    }

    /** Whether a struck node breaks a promise before our eyes; the record is told once. */
    private boolean breaks(Fault fault) {
        var breach = fault.breach();
        if (breach.isPresent() && breaches.add(fault)) {
            scene.users().violated("NODE_STOPS_WHEN_ITS_DATA_IS_IN_DOUBT", breach.get());
        }
        return breach.isPresent();
    }

    private void awaitEffect(Scene.Act act, PlayedRound round) {
        for (var fault : act.faults()) {
            if (!waiting.until(() -> fault.isInEffect() || breaks(fault), TAKES_EFFECT_WITHIN)) {
                round.withoutEffect(fault.name());
            }
        }
    }

    /** Lets the faults, which began then, be for a while. */
    private void hold(Scene.Act act, boolean brief, long since, Runnable meanwhile) {
        if (plan.timing().lasting().isPresent()) {
            pass(plan.timing().lasting().get(), meanwhile);
            return;
        }
        if (brief) {
            pass(upTo(plan.cluster().ttl()), meanwhile);
            return;
        }
        var least = act.kinds().stream()
                .map(plan::lasts)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        pass(least, meanwhile);
        // What a lease lets an owner go on with for a while says nothing of what comes after.
        long from = least.isZero() ? since : waiting.nanoTime();
        if (plan.canBeServedMeanwhile(act.kinds())) {
            var unused = waiting.until(
                    () -> {
                        meanwhile.run();
                        return scene.users().everybodyIsServedSince(from);
                    },
                    PATIENCE);
        }
        pass(upTo(REST), meanwhile);
    }

    /** Lets time pass, and looks meanwhile. */
    private void pass(Duration time, Runnable meanwhile) {
        var unused = waiting.until(
                () -> {
                    meanwhile.run();
                    return false;
                },
                time);
    }

    /** Also where one of them cannot be undone. */
    private static void undo(List<Fault> faults, Wakings wakings) {
        Optional<RuntimeException> first = Optional.empty();
        for (var fault : faults) {
            for (Runnable step : List.<Runnable>of(() -> wakings.goesOn(fault), fault::stop)) {
                try {
                    step.run();
                } catch (RuntimeException failed) {
                    first = first.or(() -> Optional.of(failed));
                }
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos()));
    }

    /** Who was not answered since, but for users one by one, if somebody was not. */
    private static Optional<String> unanswered(AskingUsers users, long since) {
        if (!users.everyRouterAnsweredSince(since)) {
            return Optional.of("a router answered nobody");
        }
        if (!users.crowdIsServedSince(since)) {
            return Optional.of("calls for many users were not answered in full");
        }
        return users.everyCallerIsServedSince(since) ? Optional.empty() : Optional.of("an application got no number");
    }

    /** Every node serves, and every user is served through every router: the next round begins with nothing broken. */
    private void awaitWell(PlayedRound round) {
        scene.awaitReady();
        long since = waiting.nanoTime();
        var users = scene.users();
        BooleanSupplier allAnswer = () -> unanswered(users, since).isEmpty();
        var within =
                Collections.max(List.of(ALL_ANSWER_WITHIN, plan.timing().bound().orElse(Duration.ZERO)));
        if (!waiting.until(allAnswer, within)) {
            unanswered(users, since)
                    .ifPresent(
                            what -> round.leftUnwell(what + " for " + within.toSeconds() + " s after it was undone"));
        }
        // Whoever is not served waits on, and may be served in a later round: here it is told of this one.
        var left = PATIENCE.minusNanos(waiting.nanoTime() - since);
        if (!waiting.until(() -> users.everybodyIsServedSince(since) && allAnswer.getAsBoolean(), left)
                && !users.everybodyIsServedSince(since)) {
            round.leftUnwell("somebody was not served for " + PATIENCE.toSeconds() + " s after it was undone");
        }
    }
}
