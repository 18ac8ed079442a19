package io.seqsvr.chaos.sim;

/** What a simulated cluster must keep, whatever its seed has in store. */
public enum Promise {
    /** G1: no sequence is handed out twice. */
    UNIQUE,
    /** G2: an answer lies above everything that was received before its request was sent. */
    ORDERED,
    /** G3: nothing above the durable max_seq leaves an allocator. */
    DURABLE,
    /** An answer is about what was asked: user, count, and the bound that the caller named. */
    EXACTLY_ASKED,
    /** What one caller receives of a user never goes back, even if clocks break their promise. */
    ONE_CALLER_FORWARD,
    /** Whenever nothing fails any more every user is served again, and in the end no request is left waiting. */
    ALIVE,
    /** A planned change of owner costs no user a number while nothing fails. */
    GAPLESS,
    /** Queues keep their bounds. */
    BOUNDED,
    /** No part comes into a state that it takes for impossible, or throws anything else. */
    SOUND
}
