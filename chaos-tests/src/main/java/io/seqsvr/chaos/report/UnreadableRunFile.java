package io.seqsvr.chaos.report;

/** A file that was to be of a run, and is not. The message names the file, what is wrong there, and what to do. */
public final class UnreadableRunFile extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableRunFile(String file, String problem) {
        super(file + ": " + problem);
    }
}
