package io.seqsvr.core.namespace;

import java.util.List;

/**
 * What somebody wants of a namespace that has no id yet; may break rules, which {@link #problems} tells.
 *
 * @param name see {@link Namespace}, as for the others
 * @param capacity number of counters
 * @param segmentSize users per segment; 0 where that is left to the cluster's default
 * @param keying which counter belongs to a uid
 * @param order on what the order of sequences rests
 * @param step by how much max_seq is raised at a time; 0 where that is left to the cluster's default
 * @param maxCount sequences per request at most
 * @param maxJump how far above the durable max_seq a request may lift a user
 * @param maxSequence greatest sequence ever handed out
 */
public record NamespaceSettings(
        String name,
        long capacity,
        int segmentSize,
        Keying keying,
        Order order,
        long step,
        int maxCount,
        long maxJump,
        long maxSequence) {
    /** The same with these where segment size or step is 0. */
    public NamespaceSettings orElse(NamespaceDefaults defaults) {
        return new NamespaceSettings(
                name,
                capacity,
                segmentSize == 0 ? defaults.segmentSize() : segmentSize,
                keying,
                order,
                step == 0 ? defaults.step() : step,
                maxCount,
                maxJump,
                maxSequence);
    }

    /** Every rule that these settings break, each as a sentence that names key, value and rule; empty if none. */
    public List<String> problems() {
        var problems = Namespace.problems(name, capacity, segmentSize, step, maxCount, maxSequence);
        Namespace.between(problems, "max_jump", maxJump, 0, Long.MAX_VALUE);
        return problems;
    }

    /** The namespace of these settings, which break no rule, under an id above 0. */
    public Namespace withId(int id) {
        return new Namespace(id, name, capacity, segmentSize, keying, order, step, maxCount, maxJump, maxSequence);
    }
}
