package io.seqsvr.chaos.live;

/** Who gives up what of a call, after a second. */
enum GivesUp {
    /** Nobody anything so soon. */
    NOBODY,
    /** The caller its call. */
    CALLER,
    /** A router a try of it, and then it makes another one: a late answer may have cost another number. */
    ROUTER,
    /** An application whatever its own client holds back: it shows nothing of what a former owner says. */
    APPLICATION
}
