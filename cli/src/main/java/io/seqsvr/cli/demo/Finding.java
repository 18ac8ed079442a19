package io.seqsvr.cli.demo;

import io.seqsvr.chaos.report.RoundVerdict;
import java.util.Comparator;
import java.util.List;

/**
 * One thing that was found of a round.
 *
 * @param verdict what it makes of the round, if nothing worse was found
 * @param words what it is
 */
record Finding(RoundVerdict verdict, String words) {
    /** What a round comes to of which these were found. */
    static RoundVerdict worstOf(List<Finding> findings) {
        return findings.stream()
                .map(Finding::verdict)
                .min(Comparator.naturalOrder())
                .orElse(RoundVerdict.PASS);
    }
}
