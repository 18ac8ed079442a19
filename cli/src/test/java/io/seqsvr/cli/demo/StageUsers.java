package io.seqsvr.cli.demo;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.live.BystanderCalls;
import io.seqsvr.chaos.live.Heartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Users who are served again so long after each moment. */
final class StageUsers implements AskingUsers {
    static final long ANN = 1;
    private final List<String> story;
    private final LongSupplier nanoClock;
    final BystanderCalls calls;
    final List<String> broken = new ArrayList<>();
    Duration servedAfter = Duration.ofMillis(100);
    Duration routersAnswerAfter = Duration.ofMillis(100);
    Duration crowdIsServedAfter = Duration.ofMillis(100);
    Duration callersAreServedAfter = Duration.ofMillis(100);
    long woken = 1;
    long straddles;
    long pairsOfALook = 1;
    long deposed;
    final Heartbeat heart;
    /** How many calls for bystanders are answered besides. */
    int bystanderCalls = 60;

    Runnable whenLookedAt = () -> {};
    Optional<Recorder.Call> asked = Optional.empty();
    long deposedOfALook = 1;
    Optional<Recorder.Call> early = Optional.empty();
    long sharedAtNanos;
    /** Whom the struck owners have been given by the time that it shows. */
    List<Long> givenLate = List.of();

    StageUsers(List<String> story, LongSupplier nanoClock) {
        this.story = story;
        this.nanoClock = nanoClock;
        this.heart = new Heartbeat(nanoClock);
        this.calls = new BystanderCalls(new History(), nanoClock);
    }

    @Override
    public long broken() {
        return broken.size();
    }

    @Override
    public void beginRound() {
        straddles = 0;
    }

    @Override
    public long deposed() {
        return deposed;
    }

    @Override
    public long straddles() {
        return straddles;
    }

    @Override
    public void violated(String rule, String words) {
        broken.add(rule + ": " + words);
    }

    @Override
    public boolean everybodyIsServedSince(long since) {
        whenLookedAt.run();
        straddles += pairsOfALook;
        deposed += deposedOfALook;
        return nanoClock.getAsLong() - since >= servedAfter.toNanos();
    }

    @Override
    public boolean everyRouterAnsweredSince(long since) {
        return nanoClock.getAsLong() - since >= routersAnswerAfter.toNanos();
    }

    @Override
    public boolean crowdIsServedSince(long since) {
        return nanoClock.getAsLong() - since >= crowdIsServedAfter.toNanos();
    }

    @Override
    public boolean everyCallerIsServedSince(long since) {
        return nanoClock.getAsLong() - since >= callersAreServedAfter.toNanos();
    }

    @Override
    public boolean somebodyWaits(String door, Collection<Long> uids) {
        story.add("look who waits at " + door);
        return true;
    }

    @Override
    public long wokenAt(long moment, String door, Collection<Long> uids) {
        return uids.contains(ANN) ? woken : 0;
    }

    @Override
    public long pausedNanos(long from, long to) {
        return heart.pausedNanos(from, to);
    }

    @Override
    public void lookElsewhere() {
        story.add("look elsewhere");
    }

    @Override
    public BystanderCalls.Watch watchCallsWithout(Set<String> struck) {
        story.add("watch those without " + struck);
        var watch = calls.watch(List.of(ANN), struck);
        early = Optional.of(calls.invoke(ANN));
        for (int i = 0; i < bystanderCalls; i++) {
            calls.invoke(ANN).told(1, false);
        }
        return watch;
    }

    @Override
    public List<Long> usersOf(Set<String> struck) {
        story.add("who belongs to " + struck);
        return givenLate;
    }

    @Override
    public boolean everyOwnerHasItsShare() {
        return nanoClock.getAsLong() >= sharedAtNanos;
    }

    @Override
    public BystanderCalls.Watch watchNobody() {
        return calls.watch(List.of(), List.of());
    }
}
