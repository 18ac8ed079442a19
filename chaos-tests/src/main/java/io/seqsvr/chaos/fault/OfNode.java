package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalNode;

/** A fault that befalls one node. */
abstract class OfNode implements Fault {
    private final String verb;
    private final LocalNode node;

    OfNode(String verb, LocalNode node) {
        this.verb = verb;
        this.node = node;
    }

    final LocalNode node() {
        return node;
    }

    @Override
    public final String name() {
        return verb + " " + node.name();
    }
}
