package io.seqsvr.client.line;

import io.seqsvr.core.front.RouteBook;
import java.util.function.Consumer;

/**
 * Tells that what is known of owners is doubtful, at most every 200 ms while it is; but at once that a name is missed,
 * as its call may be the last one for long.
 */
final class BookDoubt {
    private static final long REFETCH_NANOS = 200_000_000;

    private final Consumer<RouteBook> told;
    private long toldAtNanos = System.nanoTime() - REFETCH_NANOS;
    private boolean missesName;

    BookDoubt(Consumer<RouteBook> told) {
        this.told = told;
    }

    /** Looks at the book; without open calls only names matter, whose calls have ended. */
    void look(RouteBook book, boolean callsAreOpen) {
        boolean missesNow = book.missesName();
        boolean atOnce = missesNow && !missesName;
        missesName = missesNow;
        if ((callsAreOpen || missesNow) && book.doubtful()) {
            long now = System.nanoTime();
            if (atOnce || now - toldAtNanos >= REFETCH_NANOS) {
                toldAtNanos = now;
                told.accept(book);
            }
        }
    }
}
