package io.seqsvr.storesvr.disk;

import java.io.IOException;
import java.util.Locale;

/**
 * The disk did not do what must not fail. A failed sync is never tried again: what it was to write may be lost while
 * the next one succeeds. So the process ends, and the message is its last line.
 */
public final class DiskFailure extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * A failure in one sentence: what, why, and what to do.
     *
     * @param what what could not be done, with the path
     */
    public DiskFailure(String what, Throwable cause) {
        super(
                what + ": " + reason(cause) + "; this peer has stopped, and a majority of others goes on: "
                        + advice(reason(cause)),
                cause);
    }

    private static String reason(Throwable cause) {
        var root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private static String advice(String reason) {
        var text = reason.toLowerCase(Locale.ROOT);
        if (text.contains("no space left") || text.contains("quota")) {
            return "free space there, then start it again";
        }
        if (text.contains("read-only")) {
            return "its file system went read-only, mostly after an error of the device: look at the kernel's log,"
                    + " mend it, mount it again, then start the peer";
        }
        return "look at the kernel's log and the device; start it again once it can be written to, or put a new peer in"
                + " its place with 'seqsvr store replace'";
    }
}
