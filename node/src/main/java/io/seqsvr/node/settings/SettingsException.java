package io.seqsvr.node.settings;

import java.util.List;

/** Settings that cannot be started with: every problem, each a sentence that names key, value and rule. */
public final class SettingsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final transient List<String> problems;

    /**
     * All that is wrong.
     *
     * @param source what was read
     * @param problems at least one
     */
    public SettingsException(String source, List<String> problems) {
        super(source + ": " + String.join("; ", problems));
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** What was read: the file. */
    public String source() {
        return source;
    }

    /** Every problem. */
    public List<String> problems() {
        return problems;
    }
}
