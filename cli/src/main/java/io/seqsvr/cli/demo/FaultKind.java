package io.seqsvr.cli.demo;

import java.util.Locale;

/** What can be done to a node. */
public enum FaultKind {
    /** SIGKILL, until it is started again. */
    KILL("SIGKILL, then a new process"),
    /** SIGSTOP, until SIGCONT. */
    PAUSE("SIGSTOP, then SIGCONT"),
    /** SIGTERM, until it is started again. */
    RESTART("SIGTERM, then a new process"),
    /** It hands over what it owns, and stays without until it is restarted. */
    DRAIN("hands over all, then a new process");

    private final String words;

    FaultKind(String words) {
        this.words = words;
    }

    /** As it is typed. */
    public String verb() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For people. */
    public String words() {
        return words;
    }
}
