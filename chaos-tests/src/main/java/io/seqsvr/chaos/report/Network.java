package io.seqsvr.chaos.report;

/** What carried the bytes between the processes of a run. */
public enum Network {
    /** Network namespaces of the kernel, one for each node. */
    NAMESPACES,
    /** Proxies between the nodes. */
    PROXY,
    /** Loopback alone, which nothing can be done to. */
    LOOPBACK
}
