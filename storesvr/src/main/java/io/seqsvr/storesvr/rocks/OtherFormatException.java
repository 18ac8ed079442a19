package io.seqsvr.storesvr.rocks;

import java.io.IOException;

/** A database that another version has written: whole, and not for this one to read. */
public final class OtherFormatException extends IOException {
    private static final long serialVersionUID = 1;

    OtherFormatException(int format) {
        super("the database has format " + format + "; this version reads format " + KeyLayout.FORMAT
                + ": start the version that wrote it, or a later one");
    }
}
