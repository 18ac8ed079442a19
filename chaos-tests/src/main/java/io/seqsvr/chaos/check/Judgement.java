package io.seqsvr.chaos.check;

import java.util.List;

/**
 * What a run proves: the verdict on its history, and whether it could have been another one.
 *
 * @param verdict what the checker found
 * @param power what the run could have seen
 */
public record Judgement(Verdict verdict, Power power) {
    /** The three things that a run can come to. */
    public enum Outcome {
        /** Every rule held, and the run could have shown if one did not. */
        VALID,
        /** A rule was broken. */
        VIOLATION,
        /** No rule was broken, but nobody asked a new owner after the old one's reply: the run proves nothing. */
        INVALID;

        /**
         * What a run comes to.
         *
         * @param holds whether every rule held
         * @param power what the run could have seen
         */
        public static Outcome of(boolean holds, Power power) {
            if (!holds) {
                return VIOLATION;
            }
            return power.straddles() == 0 ? INVALID : VALID;
        }
    }

    /** Judges a recorded history of one namespace: all operations of a user since its first. */
    public static Judgement of(List<? extends Operation> operations) {
        return new Judgement(HistoryChecker.check(operations), Power.of(operations));
    }

    /** What the run comes to. Only {@link Outcome#VALID} is a success. */
    public Outcome outcome() {
        return Outcome.of(verdict.holds(), power);
    }

    @Override
    public String toString() {
        return outcome() + ": " + power + "; " + verdict;
    }
}
