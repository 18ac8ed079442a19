package io.seqsvr.chaos.proxy;

/** Where the bytes of a direction come from. */
interface Source {
    /** Whether it is read from; while it is not, its sender feels the back-pressure of TCP. */
    void read(boolean on);
}
