package io.seqsvr.client.line;

import java.util.List;
import java.util.function.Consumer;

/** Work for each of several. A defect in one takes no other along: who waits for those would never hear of it. */
final class Each {
    private Each() {}

    /** Throws what was thrown first once all had their turn. */
    static <T> void of(List<T> all, Consumer<T> work) {
        RuntimeException first = null;
        for (var one : all) {
            try {
                work.accept(one);
            } catch (RuntimeException defect) {
                first = first == null ? defect : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
