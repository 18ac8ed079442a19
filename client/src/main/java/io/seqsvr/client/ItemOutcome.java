package io.seqsvr.client;

import java.util.Optional;

/**
 * What became of one item of a call for many users: an answer, or an error of its own.
 *
 * @param <T> the answer
 * @param uid the user asked for
 * @param answer the answer; absent if there is an error
 * @param error why there is none; absent if there is an answer
 */
public record ItemOutcome<T>(long uid, Optional<T> answer, Optional<SequenceException> error) {
    /** An outcome is an answer or an error, never both or neither. */
    public ItemOutcome {
        if (answer.isPresent() == error.isPresent()) {
            throw new IllegalArgumentException("an outcome with answer " + answer + " and error " + error);
        }
    }

    static <T> ItemOutcome<T> answered(long uid, T answer) {
        return new ItemOutcome<>(uid, Optional.of(answer), Optional.empty());
    }

    static <T> ItemOutcome<T> failed(long uid, SequenceException error) {
        return new ItemOutcome<>(uid, Optional.empty(), Optional.of(error));
    }

    /**
     * The answer.
     *
     * @throws SequenceException if there is none
     */
    public T get() {
        return answer.orElseThrow(error::get);
    }
}
