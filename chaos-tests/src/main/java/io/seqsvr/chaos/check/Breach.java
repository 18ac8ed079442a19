package io.seqsvr.chaos.check;

/**
 * A reply that breaks a rule, or that leaves an earlier EXACT reading without a call that can have taken its sequence.
 *
 * @param rule what is broken. A floor does not tell whether a range or a reading set it: {@link Rule#ORDERED} stands
 *     for every range that is not above its floor, {@link Rule#CURRENT_COVERS_WHAT_WAS_SEEN} for every reading below
 * @param uid the user
 * @param first smallest sequence of the reply; of a reading the sequence told
 * @param last greatest sequence of the reply; of a reading the sequence told
 * @param against what it collides with: the floor; the greatest sequence of the other range; the sequence told by the
 *     other reading; under {@link Rule#EXACT_WAS_HANDED_OUT} how many calls can have taken sequences up to this one
 *     without giving them to their caller
 */
public record Breach(Rule rule, long uid, long first, long last, long against) {}
