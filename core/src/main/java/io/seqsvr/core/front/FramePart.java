package io.seqsvr.core.front;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import java.util.ArrayList;
import java.util.List;

/** Those calls of a frame that go to one owner, as columns. Its reply is looked at once. */
public final class FramePart {
    /**
     * Calls of a part at most. Epochs come to the columns that a caller sent, up to one for each call: with so many
     * calls all of it is still shorter than the longest message that an owner reads.
     */
    static final int MOST_CALLS = 5_000;

    private final RouteBook book;
    private final String address;
    private final FrameVerb verb;
    private final FrameCalls calls = new FrameCalls();
    private final IntColumn places = new IntColumn();
    private final List<SegmentRoute> routes = new ArrayList<>();
    /** The pass in which the epochs of the answers were noted. */
    private long answeredIn;

    FramePart(RouteBook book, String address, String namespaceName, FrameVerb verb) {
        this.book = book;
        this.address = address;
        this.verb = verb;
        calls.namespaceName(namespaceName).verb(verb);
    }

    boolean hasRoom() {
        return places.size() < MOST_CALLS;
    }

    /** A call of the frame goes along. */
    void add(FrameCalls frame, int place, SegmentRoute route) {
        places.add(place);
        routes.add(route);
        calls.uids().add(frame.uids().get(place));
        if (!frame.counts().isEmpty()) {
            calls.counts().add(frame.counts().get(place));
        }
        if (!frame.floors().isEmpty()) {
            calls.floors().add(frame.floors().get(place));
        }
    }

    /** The owner is to answer for each segment under no older epoch than is known; none was added in that pass. */
    void addEpochs(long ofPass) {
        for (var route : routes) {
            if (route.note(ofPass, 1)) {
                calls.segments().add(route.id().index());
                calls.leastEpochs().add(route.epoch());
            }
        }
    }

    /** Where its owner serves, HOST:PORT. */
    public String address() {
        return address;
    }

    /** Whether its owner confirms it through StoreSvr's log before it answers, as far as is known. */
    public boolean throughLog() {
        return book.throughLog(calls.namespaceName());
    }

    /** What goes to the owner. */
    public FrameCalls calls() {
        return calls;
    }

    /** How many calls it has. */
    public int size() {
        return places.size();
    }

    /** At which place of the frame a call stands, from its place in this part. */
    public int placeInFrame(int place) {
        return places.get(place);
    }

    /** A call as one of its own. */
    public Call call(int place) {
        return FrameSplit.call(calls, verb, place);
    }

    /** The owner refused a call as it does not own its segment. */
    public void notOwner(int place) {
        book.refused(routes.get(place).id());
    }

    /**
     * The owner answered under these epochs. What it answered in an older epoch than it was asked for is not believed.
     *
     * @param segments as the reply names them
     * @param epochs of each of these
     */
    public void answered(IntColumn segments, LongColumn epochs) {
        long asked = book.nextPass();
        noteEpochs(asked);
        answeredIn = book.nextPass();
        for (int i = 0; i < segments.size(); i++) {
            var route = book.segmentOf(calls.namespaceName(), segments.get(i));
            long epoch = epochs.get(i);
            if (route != null && epoch > 0 && mayAnswer(route, epoch, route.noted(asked))) {
                route.note(answeredIn, epoch);
            }
        }
    }

    private boolean mayAnswer(SegmentRoute route, long epoch, long least) {
        boolean wasAsked = least > 0;
        return wasAsked && book.believes(route, epoch, least);
    }

    /** For each segment the least epoch that its answers may have. */
    private void noteEpochs(long ofPass) {
        for (int i = 0; i < calls.segments().size(); i++) {
            var route = book.segmentOf(calls.namespaceName(), calls.segments().get(i));
            if (route != null) {
                route.note(ofPass, calls.leastEpochs().get(i));
            }
        }
    }

    /** Under which epoch a segment was answered, after {@link #answered}; 0 if not, or if its owner is not believed. */
    public long epochOfSegment(int segment) {
        var route = book.segmentOf(calls.namespaceName(), segment);
        return route == null ? 0 : route.noted(answeredIn);
    }

    /**
     * Under which epoch a call was answered, after {@link #answered}.
     *
     * @param place in this part
     * @param seq what the reply says for it
     * @return 0 if the call has no answer: its owner is not believed, or what it says is none to this call
     */
    public long epochOf(int place, long seq) {
        return fits(place, seq) ? routes.get(place).noted(answeredIn) : 0;
    }

    private boolean fits(int place, long seq) {
        long floor = calls.floors().isEmpty() ? 0 : calls.floors().get(place);
        if (verb != FrameVerb.NEXT) {
            return seq >= 0 && Long.compareUnsigned(seq, floor) >= 0;
        }
        long count = calls.counts().isEmpty() ? 1 : calls.counts().get(place);
        return seq >= 1 && seq + count - 1 >= seq && Long.compareUnsigned(seq, floor) >= 0;
    }
}
