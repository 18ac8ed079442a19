package io.seqsvr.chaos.live;

/**
 * Under whom a user was served before something and after it.
 *
 * @param before of the last sequence that it got before; 0 if it got none
 * @param after of the last sequence that it has got since; 0 if it got none
 */
public record Epochs(long before, long after) {
    /** Whether another owner serves it now. */
    private boolean differ() {
        return before > 0 && after > before;
    }

    /** For people, after the rest: what is known of its owner. */
    String ending() {
        if (differ()) {
            return ", whose owner changed (epoch " + before + ", then " + after + ")";
        }
        if (before > 0 && after > 0) {
            return ", whose owner stayed (epoch " + after + ")";
        }
        return after > 0 ? ", whose owner has epoch " + after + " now" : "";
    }
}
