package io.seqsvr.chaos.sim;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The story of a run: always as one number, which two runs of one seed share, and in words when somebody wants to read
 * it.
 */
final class Trace {
    private final Agenda agenda;
    private final Consumer<String> reader;
    private final boolean read;
    private long hash;

    private Trace(Agenda agenda, Consumer<String> reader, boolean read) {
        this.agenda = agenda;
        this.reader = reader;
        this.read = read;
    }

    static Trace silent(Agenda agenda) {
        return new Trace(agenda, line -> {}, false);
    }

    static Trace to(Agenda agenda, Consumer<String> reader) {
        return new Trace(agenda, reader, true);
    }

    /** Something happened now. */
    void mix(long what) {
        hash = (hash ^ what ^ agenda.now()) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 29;
    }

    /** Tells it in words, if somebody reads. */
    void say(Supplier<String> words) {
        if (read) {
            reader.accept(String.format(Locale.ROOT, "%14.6f  %s", agenda.now() / 1e9, words.get()));
        }
    }

    /** All that happened, as one number. */
    long hash() {
        return hash;
    }
}
