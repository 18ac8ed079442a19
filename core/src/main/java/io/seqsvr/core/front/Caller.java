package io.seqsvr.core.front;

import org.jspecify.annotations.Nullable;

/** Who waits for calls at a server: it may hang up, and there are others. */
public interface Caller {
    /** One that stays until its calls have ended, and has all of the room for them to itself. */
    Caller ALONE = new Caller() {
        @Override
        public boolean isGone() {
            return false;
        }

        @Override
        public @Nullable OpenShare share() {
            return null;
        }
    };

    /** Whether it hears nothing any more. Once true it stays so. */
    boolean isGone();

    /** What all calls of its connection take together, always the same; null if it shares its room with nobody. */
    @Nullable
    OpenShare share();
}
