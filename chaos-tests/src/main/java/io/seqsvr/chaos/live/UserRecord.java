package io.seqsvr.chaos.live;

import java.util.Optional;
import java.util.TreeSet;

/** What one user saw, whatever ways it asked: which numbers it never got. Guarded by itself. */
final class UserRecord {
    private static final long NEVER = Long.MIN_VALUE;
    private static final int RECENT = 64;
    /** A caller gives up by its own clock, a little before or after what is seen here. */
    private static final long ALMOST_NANOS = TriesInVain.PATIENCE_NANOS / 10;

    private final FaultLog faults;
    /** Whether nobody else takes this user's numbers. */
    private final boolean alone;

    private final Gaps gaps = new Gaps();
    private final LostCalls lostCalls = new LostCalls();
    private final Holes holes;

    /** Numbers of the calls under way, and of the last one that began. */
    private final TreeSet<Long> open = new TreeSet<>();

    private long begun;

    /** The greatest sequence that was answered, and its epoch. */
    private long top;

    private long topEpoch;

    /** When the call began that brought it. */
    private long topBegunNanos;

    private long answeredAtNanos = NEVER;
    /** When an answer came after none had come, on any way, for as long as a router waits. */
    private long silenceEndedNanos = NEVER;

    private final RecentAnswers recent = new RecentAnswers(RECENT);

    UserRecord(long uid, FaultLog faults, boolean alone) {
        this.holes = new Holes(uid, lostCalls);
        this.faults = faults;
        this.alone = alone;
    }

    /** A call begins; returns its number. */
    long begin() {
        open.add(++begun);
        return begun;
    }

    /** A call through a router is being answered: tries before the last one may have taken numbers in vain. */
    void answeredAfter(long call, long most, long nanos, long nowNanos) {
        for (long tries = TriesInVain.overdue(nanos); tries > 0; tries--) {
            lostCalls.givenUp(call, most, nowNanos);
        }
    }

    /** A call through a router is about to end: connections of tries before the last one may have broken. */
    void brokenOff(long call, long most, long nanos, long nowNanos) {
        long tries = TriesInVain.brokenOff(nanos) - TriesInVain.overdue(nanos);
        if (tries <= 0 || !faults.resetConnections(nowNanos - nanos, nowNanos)) {
            // The stream to an owner that is silent breaks, once while a call waits for less than that.
            boolean broke = hasWaitedInSilence(nowNanos - nanos, nowNanos)
                    && faults.silencedAnOwner(nowNanos - nanos, nowNanos);
            tries = Math.min(tries, broke ? 1 : 0);
        }
        for (; tries > 0; tries--) {
            lostCalls.ended(call, most, nowNanos);
        }
    }

    /** Whether a call was under way while nobody had answered for the user for as long as a router waits. */
    private boolean hasWaitedInSilence(long begunNanos, long nowNanos) {
        return isSilent(nowNanos) || (silenceEndedNanos != NEVER && silenceEndedNanos - begunNanos >= 0);
    }

    private boolean isSilent(long nowNanos) {
        return answeredAtNanos != NEVER && nowNanos - answeredAtNanos >= TriesInVain.PATIENCE_NANOS;
    }

    /** A call ended without an answer; it may have taken numbers. */
    void lost(long call, long most, long nowNanos) {
        lostCalls.ended(call, most, nowNanos);
        end(call);
    }

    /** A call ended without an answer, of which each try is given up after a while: each may have taken numbers. */
    void lostAfter(long call, long most, long nanos, long nowNanos) {
        long tries = TriesInVain.overdue(nanos + ALMOST_NANOS);
        if (tries == 0) {
            lostCalls.ended(call, most, nowNanos);
        }
        for (; tries > 0; tries--) {
            lostCalls.givenUp(call, most, nowNanos);
        }
        end(call);
    }

    /** A call ended without an answer, and took no number of the owner that serves. */
    void tookNothing(long call) {
        end(call);
    }

    /** A call was answered. */
    void answered(long call, long begunNanos, long nowNanos, long first, long last, long epoch) {
        if (!alone) {
            // Whatever is left out, somebody else may have.
        } else if (top >= first) {
            holes.fill(first, last);
        } else if (first > top + 1) {
            holes.open(top + 1, first - 1, begun, nowNanos, changeBefore(epoch, nowNanos));
        }
        if (last > top) {
            top = last;
            topEpoch = epoch;
            topBegunNanos = begunNanos;
        }
        served(call, nowNanos);
    }

    /** A call was told the last sequence. */
    void told(long call, long nowNanos) {
        served(call, nowNanos);
    }

    /** Numbers were left out because somebody asked for it; the call is told its sequence next. */
    void lifted(long known, long floor) {
        holes.fill(known + 1, floor);
        top = Math.max(top, floor);
    }

    private void served(long call, long nowNanos) {
        if (isSilent(nowNanos)) {
            silenceEndedNanos = nowNanos;
        }
        answeredAtNanos = nowNanos;
        end(call);
    }

    /** Its last answers. */
    RecentAnswers recent() {
        return recent;
    }

    /** Empty where the same owner served on, and for the user's first number. */
    private Optional<Gaps.Change> changeBefore(long epoch, long nowNanos) {
        if (epoch == topEpoch || topEpoch == 0) {
            return Optional.empty();
        }
        return Optional.of(faults.explains(answeredAtNanos, nowNanos)
                .map(fault -> new Gaps.Change(fault.name(), fault.number(), topBegunNanos))
                .orElse(new Gaps.Change(Gaps.CHANGE_OF_OWNER, 0, topBegunNanos)));
    }

    private void end(long call) {
        open.remove(call);
        holes.settle(open.isEmpty() ? Long.MAX_VALUE : open.first(), gaps);
    }

    void addTo(Gaps all) {
        all.addAll(gaps);
    }
}
