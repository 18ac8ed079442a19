package io.seqsvr.chaos.process;

/** The kinds of processes, in the order in which each finds what it needs. */
public enum Tier {
    /** Keeps what must not be lost. */
    STORESVR("storesvr", "store"),
    /** Hands out sequences. */
    ALLOCSVR("allocsvr", "alloc"),
    /** The front door. */
    ROUTER("router", "router"),
    /** Applications with the Java client. */
    CALLER("caller", "caller");

    private final String command;
    private final String stem;

    Tier(String command, String stem) {
        this.command = command;
        this.stem = stem;
    }

    /** The command that runs it; an application is a program of its own. */
    public String command() {
        return command;
    }

    /**
     * The name of one of its nodes.
     *
     * @param number from 1 on
     */
    public String nodeName(int number) {
        return stem + "-" + number;
    }
}
