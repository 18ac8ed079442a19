package io.seqsvr.client.routes;

import java.util.random.RandomGenerator;

/**
 * How long a watch waits for what.
 *
 * @param firstMillis for the first message of a server to begin, which it does at once
 * @param messageMillis for the rest of that, which may be a picture of megabytes; as long as servers wait for it to be
 *     read
 * @param silenceMillis for any later one, longer than the 30 seconds after which a sign of life comes
 * @param leastPauseMillis before the next server is asked, at first
 * @param mostPauseMillis the same, when many were asked in vain
 */
record Pace(long firstMillis, long messageMillis, long silenceMillis, long leastPauseMillis, long mostPauseMillis) {
    static final Pace USUAL = new Pace(3_000, 10_000, 45_000, 20, 2_000);

    /**
     * The pause after so many failures in a row: doubled with each, and any time from a half to the whole of that, so
     * that callers who lost one server do not come to the next one together.
     */
    long pauseMillis(int failures, RandomGenerator random) {
        long doubled = leastPauseMillis << Math.min(failures, 20);
        long pause = Math.min(mostPauseMillis, doubled);
        return Math.max(1, pause - (long) (random.nextDouble() * pause / 2));
    }
}
