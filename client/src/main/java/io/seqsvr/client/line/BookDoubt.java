package io.seqsvr.client.line;

import io.seqsvr.core.front.RouteBook;
import java.util.function.Consumer;

/** Tells that what is known of owners is doubtful, at most every 200 ms while it is. */
final class BookDoubt {
    private static final long REFETCH_NANOS = 200_000_000;

    private final Consumer<RouteBook> told;
    private long toldAtNanos = System.nanoTime() - REFETCH_NANOS;

    BookDoubt(Consumer<RouteBook> told) {
        this.told = told;
    }

    void look(RouteBook book) {
        if (book.doubtful()) {
            long now = System.nanoTime();
            if (now - toldAtNanos >= REFETCH_NANOS) {
                toldAtNanos = now;
                told.accept(book);
            }
        }
    }
}
