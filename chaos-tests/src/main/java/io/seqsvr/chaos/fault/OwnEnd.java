package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;

/** How a node has to end that is not to go on: by itself, with its exit code for that, and saying why. */
final class OwnEnd {
    static final int EXIT_CODE = 1;
    /** What one says that ran. */
    static final String FATAL = "event=fatal ";

    private OwnEnd() {}

    /**
     * Whether it has ended so; not while it runs.
     *
     * @param words what it has to have said since it was started
     * @throws NodeFailure if it has ended otherwise: it was killed, or has a defect
     */
    static boolean of(LocalNode node, String words) {
        var code = node.exitCode();
        if (code.isEmpty()) {
            return false;
        }
        if (code.getAsInt() != EXIT_CODE) {
            throw new NodeFailure(node.name() + " was to end by itself with exit code " + EXIT_CODE
                    + ", and ended with " + code.getAsInt() + "; its log may say why");
        }
        if (!node.hasSaid(words)) {
            throw new NodeFailure(node.name() + " was to say '" + words.strip()
                    + "' and end, and ended for another reason: see its log");
        }
        return true;
    }
}
