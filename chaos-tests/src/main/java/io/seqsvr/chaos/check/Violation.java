package io.seqsvr.chaos.check;

/**
 * Two operations of one user that cannot both be right.
 *
 * @param rule what they break
 * @param witness the operation that the offender had to respect; under {@link Rule#UNIQUE} the one with the smaller
 *     {@code first}
 * @param offender the operation that did not
 */
public record Violation(Rule rule, Operation witness, Operation offender) {
    @Override
    public String toString() {
        return rule + ": " + witness + ", yet " + offender;
    }
}
