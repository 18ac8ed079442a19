package io.seqsvr.chaos.process;

/** A wait that somebody broke off: the thread stays interrupted and the waiting code fails. */
final class Interruption {
    private Interruption() {}

    static IllegalStateException of(String awaited) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + awaited);
    }
}
