package io.seqsvr.core.namespace;

import java.util.ArrayList;
import java.util.List;

/**
 * What a namespace gets that is made without naming it. One for the cluster; a change is for namespaces that are made
 * from then on.
 *
 * @param segmentSize users per segment
 * @param step by how much max_seq is raised at a time
 */
public record NamespaceDefaults(int segmentSize, long step) {
    /** Where a cluster sets nothing. */
    public static final NamespaceDefaults INITIAL =
            new NamespaceDefaults(Namespace.DEFAULT_SEGMENT_SIZE, Namespace.DEFAULT_STEP);

    /** Defaults that break no rule. */
    public NamespaceDefaults {
        var problems = problems(segmentSize, step);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("defaults of namespaces: " + problems);
        }
    }

    /** Every rule that these settings break, each as a sentence that names key, value and rule; empty if none. */
    public static List<String> problems(int segmentSize, long step) {
        var problems = new ArrayList<String>();
        Namespace.between(problems, "segment_size", segmentSize, 1, Namespace.MAX_SEGMENT_SIZE);
        Namespace.between(problems, "step", step, 1, Long.MAX_VALUE);
        return problems;
    }
}
