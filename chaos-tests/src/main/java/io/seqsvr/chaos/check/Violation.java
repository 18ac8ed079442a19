package io.seqsvr.chaos.check;

import java.util.Optional;

/**
 * Operations of one user that cannot all be right.
 *
 * @param rule what they break
 * @param witness the operation that the offender had to respect; under {@link Rule#UNIQUE} the one with the smaller
 *     {@code first}; none under the rules that an operation breaks alone
 * @param offender the operation that did not
 */
public record Violation(Rule rule, Optional<Operation> witness, Operation offender) {
    /** Of an operation that did not respect another. */
    public Violation(Rule rule, Operation witness, Operation offender) {
        this(rule, Optional.of(witness), offender);
    }

    /** Of an operation that is wrong without another: by one of the last two rules. */
    static Violation alone(Rule rule, Operation offender) {
        return new Violation(rule, Optional.empty(), offender);
    }

    @Override
    public String toString() {
        return rule + ": " + witness.map(respected -> respected + ", yet ").orElse("") + offender;
    }
}
