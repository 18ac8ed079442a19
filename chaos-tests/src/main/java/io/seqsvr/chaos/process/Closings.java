package io.seqsvr.chaos.process;

import java.util.stream.Stream;

/** Closes each of several, whatever becomes of the others. */
public final class Closings {
    private Closings() {}

    /** Has each of these close something; then throws what the first threw that failed, the others suppressed. */
    public static void all(Stream<Runnable> closings) {
        RuntimeException first = null;
        for (var closing : closings.toList()) {
            try {
                closing.run();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
