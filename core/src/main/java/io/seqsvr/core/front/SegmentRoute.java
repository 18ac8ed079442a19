package io.seqsvr.core.front;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.Picture;

/**
 * What one caller knows of one segment: whom to ask, and the newest epoch. One object for as long as the caller lives,
 * looked up in a picture once, not for every call.
 */
final class SegmentRoute {
    private final SegmentId id;
    /** Of the picture that it was looked up in, 0 for none. */
    private long pictureNumber;

    private Routing.Target target = Routing.nobodyYet();
    private long epoch;
    private int refusals;
    private int unreached;
    /** In which pass over the columns of a frame the number below was noted. */
    private long pass;

    private long noted;

    SegmentRoute(SegmentId id) {
        this.id = id;
    }

    SegmentId id() {
        return id;
    }

    /** Whether it was looked up in the picture of that number. */
    boolean isOf(long number) {
        return pictureNumber == number;
    }

    /** Looks it up in a picture; the epoch never goes back. */
    void lookUp(long number, Picture picture, Namespace namespace) {
        pictureNumber = number;
        var range = picture.routes().find(id.namespaceId(), id.index());
        target = Routing.find(picture, range, namespace, id);
        if (range.isPresent() && range.get().epoch() > epoch) {
            epoch = range.get().epoch();
        }
        askForEpoch();
    }

    private void askForEpoch() {
        if (target instanceof Routing.Owner owner && owner.epoch() < epoch) {
            target = new Routing.Owner(owner.address(), id, epoch);
        }
    }

    Routing.Target target() {
        return target;
    }

    /** The newest epoch that a picture or an answer showed, 0 for none. */
    long epoch() {
        return epoch;
    }

    /** An allocator has answered under a newer epoch. */
    void learn(long newer) {
        epoch = newer;
        askForEpoch();
    }

    /**
     * Notes a number for one pass.
     *
     * @return whether there was none of that pass yet
     */
    boolean note(long ofPass, long number) {
        boolean first = pass != ofPass;
        pass = ofPass;
        noted = number;
        return first;
    }

    /** What was noted in that pass, 0 if nothing was. */
    long noted(long ofPass) {
        return pass == ofPass ? noted : 0;
    }

    /** Refusals in a row by who was taken for its owner. */
    int refusals() {
        return refusals;
    }

    void refusals(int inARow) {
        refusals = inARow;
    }

    /** Attempts in a row that came to nothing, as who was taken for its owner could not be reached, or said nothing. */
    int unreached() {
        return unreached;
    }

    void unreached(int inARow) {
        unreached = inARow;
    }
}
