package io.seqsvr.core.namespace;

/** On what the order of a namespace's sequences rests; uniqueness rests on neither. May be altered at any time. */
public enum Order {
    /** On the owner's lease, and so on the rates of clocks: an answer waits for nobody. */
    LEASE,
    /** On no clock at all: before an answer leaves, StoreSvr's log confirms that its owner still owned the segment. */
    QUORUM
}
