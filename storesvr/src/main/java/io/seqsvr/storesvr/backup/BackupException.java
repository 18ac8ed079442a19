package io.seqsvr.storesvr.backup;

/** A backup cannot be written, or cannot be used: one sentence for people that says why, and what to do. */
public final class BackupException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public BackupException(String message) {
        super(message);
    }
}
