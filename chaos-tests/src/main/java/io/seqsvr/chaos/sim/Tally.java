package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.Decision;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What happened in one run, or in many, in numbers. */
public final class Tally {
    private final Map<Fault, Long> faults = new TreeMap<>();
    private final Set<SegmentId> taken = new HashSet<>();
    private long nanos;
    private long begun;
    private long answered;
    private long refused;
    private long ownerChanges;
    private long handOvers;
    private long calmHandOvers;
    private long calmUsers;
    private long cutShort;
    private long straddlingPairs;
    private long sessionsLost;
    private long leaseDrops;
    private long disbelieved;
    private long lateReplies;
    private long sharedReadings;
    private long retries;
    private long frames;
    private long framesOfSeveral;
    private long ofTwins;
    private long resumed;
    private long unjudged;

    void count(long simulatedNanos) {
        nanos += simulatedNanos;
    }

    void countUnjudged(long answers) {
        unjudged += answers;
    }

    void countBegun() {
        begun++;
    }

    void countOutcome(Answer answer) {
        if (answer instanceof Answer.Refused) {
            refused++;
        } else {
            answered++;
        }
    }

    void countCalmHandOvers(long changes) {
        calmHandOvers += changes;
    }

    void countCalmUser() {
        calmUsers++;
    }

    void countCutShort() {
        cutShort++;
    }

    void countStraddle() {
        straddlingPairs++;
    }

    void count(long disbelievedAnswers, long repliesThatCameLate, long readingsThatWereShared) {
        disbelieved += disbelievedAnswers;
        lateReplies += repliesThatCameLate;
        sharedReadings += readingsThatWereShared;
    }

    void countRetry() {
        retries++;
    }

    void count(Frame frame) {
        frames++;
        framesOfSeveral += frame.places().size() > 1 ? 1 : 0;
    }

    void countOfTwin(List<Answer> answers) {
        ofTwins += answers.stream().filter(answer -> answer.epoch() > 0).count();
    }

    void countResumed() {
        resumed++;
    }

    void count(Fault fault) {
        faults.merge(fault, 1L, Long::sum);
    }

    void count(StoreCommand command, Decision decision) {
        if (!(command instanceof StoreCommand.PublishRoutes) && !(command instanceof StoreCommand.HandOver)) {
            return;
        }
        for (var change : decision.changes()) {
            if (change instanceof StoreChange.PutSegment put && put.segment().epoch() > 1) {
                ownerChanges++;
                if (command instanceof StoreCommand.HandOver) {
                    handOvers++;
                } else {
                    taken.add(put.segment().id());
                }
            }
        }
    }

    /** From now on it is noted which segments somebody gets to whom they are not handed over. */
    void forgetTaken() {
        taken.clear();
    }

    Set<SegmentId> taken() {
        return taken;
    }

    void count(RoleEvent event) {
        if (event instanceof SessionEvent.SessionLost) {
            sessionsLost++;
        } else if (event instanceof SessionEvent.LeaseDropped) {
            leaseDrops++;
        }
    }

    /** Takes another run in. */
    public void add(Tally other) {
        other.faults.forEach((fault, count) -> faults.merge(fault, count, Long::sum));
        nanos += other.nanos;
        begun += other.begun;
        answered += other.answered;
        refused += other.refused;
        ownerChanges += other.ownerChanges;
        handOvers += other.handOvers;
        calmHandOvers += other.calmHandOvers;
        calmUsers += other.calmUsers;
        cutShort += other.cutShort;
        straddlingPairs += other.straddlingPairs;
        sessionsLost += other.sessionsLost;
        leaseDrops += other.leaseDrops;
        disbelieved += other.disbelieved;
        lateReplies += other.lateReplies;
        sharedReadings += other.sharedReadings;
        retries += other.retries;
        frames += other.frames;
        framesOfSeveral += other.framesOfSeveral;
        ofTwins += other.ofTwins;
        resumed += other.resumed;
        unjudged += other.unjudged;
    }

    /** Simulated time of the whole cluster. */
    public double hours() {
        return (double) nanos / Nanos.HOUR;
    }

    /** Requests that clients sent. */
    public long begun() {
        return begun;
    }

    /** Requests that were answered with something other than a refusal: what the judge had to judge. */
    public long operations() {
        return answered;
    }

    /** Requests that were refused. */
    public long refusals() {
        return refused;
    }

    /** Requests of which no answer was ever received. */
    public long unknown() {
        return begun - answered - refused;
    }

    /** Epochs that followed another one: changes of owner, planned or not. */
    public long ownerChanges() {
        return ownerChanges;
    }

    /** Changes of owner that were planned. */
    public long handOvers() {
        return handOvers;
    }

    /** Those of them while nothing failed. */
    public long calmHandOvers() {
        return calmHandOvers;
    }

    /** Users of whom it was seen that none of these cost them a number, once for each calm. */
    public long calmUsers() {
        return calmUsers;
    }

    /** Runs that something which a part threw has ended, though nobody watched for that. */
    public long cutShort() {
        return cutShort;
    }

    /** Pairs of answers ordered in time of which only the second was given under the new epoch. */
    public long straddlingPairs() {
        return straddlingPairs;
    }

    /** Sessions that StoreSvr ended under an allocator that was still there to notice. */
    public long sessionsLost() {
        return sessionsLost;
    }

    /** Leases that disagreeing clocks dropped. */
    public long leaseDrops() {
        return leaseDrops;
    }

    /** Answers that a caller did not believe, as it knew a newer epoch. */
    public long disbelieved() {
        return disbelieved;
    }

    /** Replies to frames whose calls had been sent again, or had ended, when they came. */
    public long lateReplies() {
        return lateReplies;
    }

    /** Readings that came with another one's, as both waited for one frame. */
    public long sharedReadings() {
        return sharedReadings;
    }

    /** Calls that were sent again. */
    public long retries() {
        return retries;
    }

    /** Frames that callers sent to owners. */
    public long frames() {
        return frames;
    }

    /** Those of them with more than one call. */
    public long framesOfSeveral() {
        return framesOfSeveral;
    }

    /** Calls that waited at their owner by themselves, outside of a frame, and went on. */
    public long resumed() {
        return resumed;
    }

    /** Answers, other than refusals, of a second process of an allocator's name and address. */
    public long ofTwins() {
        return ofTwins;
    }

    /** Answers that were compared with a part only of what they could collide with; 0: all were judged exactly. */
    public long unjudged() {
        return unjudged;
    }

    /** Faults of all kinds. */
    public long faults() {
        return faults.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Faults by kind; one that never happened is absent. */
    public Map<Fault, Long> faultsByKind() {
        return Map.copyOf(faults);
    }
}
