package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.BystanderCalls;
import io.seqsvr.chaos.live.VerifiedLoad;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Those who ask a cluster, as a round sees them. Times are of the clock that the round goes by. */
interface AskingUsers {
    /** How many promises have been broken so far. */
    long broken();

    /** A round begins. */
    void beginRound();

    /** How many straddling pairs there have been, across changes of owner that were seen since the round began. */
    long straddles();

    /** How many calls a former owner has answered so far. */
    long deposed();

    /** A promise was broken otherwise than to one of them. */
    void violated(String rule, String words);

    /** Whether each has been answered since. */
    boolean everybodyIsServedSince(long nanos);

    /** Whether each router has answered a call that began since. */
    boolean everyRouterAnsweredSince(long nanos);

    /** Whether calls for many of them at once have been answered in full since. */
    boolean crowdIsServedSince(long nanos);

    /** Whether each application to which harm may be done has been answered a call that began since. */
    boolean everyCallerIsServedSince(long nanos);

    /** Whether a call for one of these waits at the AllocSvr there, and would go on to wait for a while. */
    boolean somebodyWaits(String door, Collection<Long> uids);

    /** How many calls for these waited at that moment at the AllocSvr there, and were then answered or refused. */
    long wokenAt(long nanos, String door, Collection<Long> uids);

    /** For how much of this span whoever asks for them stood still by itself. */
    long pausedNanos(long fromNanos, long toNanos);

    /** Whoever tells them the routes may have fallen silent. */
    void lookElsewhere();

    /** From now on those calls count that go through none of these nodes, for users whom none of them owns. */
    BystanderCalls.Watch watchCallsWithout(Set<String> struck);

    /** Whom these nodes own now. */
    List<Long> usersOf(Set<String> struck);

    /** Whether nothing is left to be moved from one AllocSvr to another. */
    boolean everyOwnerHasItsShare();

    /** From now on nobody's calls count so. */
    BystanderCalls.Watch watchNobody();

    /** Those of a load. */
    static AskingUsers of(VerifiedLoad load) {
        return new AskingUsers() {
            @Override
            public long broken() {
                return load.record().broken();
            }

            @Override
            public void beginRound() {
                load.record().beginRound();
            }

            @Override
            public long straddles() {
                return load.record().straddlesOfRound();
            }

            @Override
            public long deposed() {
                return load.record().deposed();
            }

            @Override
            public void violated(String rule, String words) {
                load.record().violated(rule, words);
            }

            @Override
            public boolean everybodyIsServedSince(long nanos) {
                return load.record().everybodyIsServedSince(nanos);
            }

            @Override
            public boolean everyRouterAnsweredSince(long nanos) {
                return load.everyRouterAnsweredSince(nanos);
            }

            @Override
            public boolean crowdIsServedSince(long nanos) {
                return load.crowdIsServedSince(nanos);
            }

            @Override
            public boolean everyCallerIsServedSince(long nanos) {
                return load.everyCallerIsServedSince(nanos);
            }

            @Override
            public boolean somebodyWaits(String door, Collection<Long> uids) {
                return load.somebodyWaits(door, uids);
            }

            @Override
            public long wokenAt(long nanos, String door, Collection<Long> uids) {
                return load.wokenAt(nanos, door, uids);
            }

            @Override
            public long pausedNanos(long fromNanos, long toNanos) {
                return load.pausedNanos(fromNanos, toNanos);
            }

            @Override
            public void lookElsewhere() {
                load.lookElsewhere();
            }

            @Override
            public BystanderCalls.Watch watchCallsWithout(Set<String> struck) {
                return load.watchCallsWithout(struck);
            }

            @Override
            public List<Long> usersOf(Set<String> struck) {
                return load.usersOf(struck);
            }

            @Override
            public boolean everyOwnerHasItsShare() {
                return load.everyOwnerHasItsShare();
            }

            @Override
            public BystanderCalls.Watch watchNobody() {
                return load.watchNobody();
            }
        };
    }
}
