package io.seqsvr.chaos.host;

/** In how many of its periods a process has stood still. A burst now and then does not make it short of processor. */
final class Throttling {
    /** So many are judged together. */
    private static final int JUDGED_TOGETHER = 5;
    /** One of so many has to be one in which it stood still. */
    private static final int ONE_IN = 4;

    private long judged;
    private long judgedThrottled;
    private boolean felt;
    /** Both since it stood still for a share of them first. */
    private long since;

    private long sinceThrottled;
    private boolean everFelt;

    /**
     * It has had so many periods so far.
     *
     * @return whether it got on in the last ones
     */
    boolean see(long periods, long throttled) {
        long more = periods - judged;
        if (more < JUDGED_TOGETHER) {
            return false;
        }
        long stood = throttled - judgedThrottled;
        judged = periods;
        judgedThrottled = throttled;
        felt = stood * ONE_IN >= more;
        everFelt |= felt;
        since += everFelt ? more : 0;
        sinceThrottled += everFelt ? stood : 0;
        return !felt;
    }

    /** Whether it stood still in a share of the last ones. */
    boolean isFelt() {
        return felt;
    }

    /** The same of all of them since it did first. */
    boolean wasFelt() {
        return everFelt && sinceThrottled * ONE_IN >= since;
    }
}
