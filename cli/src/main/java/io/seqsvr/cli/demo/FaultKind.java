package io.seqsvr.cli.demo;

import java.util.Locale;

/** What can be done to a node. */
public enum FaultKind {
    /** SIGKILL, until it is started again. */
    KILL,
    /** SIGSTOP, until SIGCONT. */
    PAUSE,
    /** SIGTERM, until it is started again. */
    RESTART,
    /** It hands over what it owns, and stays without until it is restarted. */
    DRAIN;

    /** As it is typed. */
    public String verb() {
        return name().toLowerCase(Locale.ROOT);
    }
}
