package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.report.Network;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A scene without a cluster. */
final class Stage implements Scene {
    private final AskingUsers users;
    private final List<String> story;
    private final LongSupplier nanoClock;
    private final FaultLog log;
    private final long begunNanos;
    private long storesFollowAtNanos;
    private long grantedEachSecond = 400;

    /**
     * For these users.
     *
     * @param story is told of what is asked of it
     * @param nanoClock what time it is
     */
    Stage(AskingUsers users, List<String> story, LongSupplier nanoClock) {
        this.users = users;
        this.story = story;
        this.nanoClock = nanoClock;
        this.log = new FaultLog(nanoClock);
        this.begunNanos = nanoClock.getAsLong();
    }

    /** From then on every StoreSvr peer follows. */
    void storesFollowAt(long nanos) {
        storesFollowAtNanos = nanos;
    }

    @Override
    public Act only(Compound cell) {
        throw new AssertionError("the player is told what to play");
    }

    @Override
    public Act draw() {
        throw new AssertionError("the player is told what to play");
    }

    @Override
    public VerifiedLoad load() {
        throw new AssertionError("it is asked for its users");
    }

    @Override
    public AskingUsers users() {
        return users;
    }

    @Override
    public FaultLog log() {
        return log;
    }

    @Override
    public long begunNanos() {
        return begunNanos;
    }

    @Override
    public void awaitReady() {
        story.add("ready");
    }

    /** By how much what StoreSvr has granted grows in a second. */
    void grantEachSecond(long numbers) {
        grantedEachSecond = numbers;
    }

    @Override
    public OptionalLong granted() {
        return OptionalLong.of(grantedEachSecond * TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - begunNanos));
    }

    @Override
    public boolean storesFollow() {
        return nanoClock.getAsLong() >= storesFollowAtNanos;
    }

    @Override
    public boolean compare() {
        throw new AssertionError("not in a round");
    }

    @Override
    public Network network() {
        return Network.LOOPBACK;
    }

    @Override
    public LoadReport report() {
        throw new AssertionError("not in a round");
    }

    @Override
    public LoadReport soFar() {
        throw new AssertionError("not in a round");
    }

    @Override
    public boolean copyLogs(Path to) {
        throw new AssertionError("not in a round");
    }

    @Override
    public void close() {}
}
