package io.seqsvr.storesvr.disk;

import io.seqsvr.node.StartupException;

/** The refusal to start from damaged data: what is damaged, and what to do. */
public final class Damage {
    private Damage() {}

    /**
     * A refusal.
     *
     * @param what which file, and what is wrong with it
     * @param peer id of the peer, where it is known
     */
    public static StartupException refusal(String what, String peer) {
        return new StartupException(what + "; a peer never starts from damaged data. Replace it:"
                + " 'seqsvr store replace --config NEW.yaml --store HOST:PORT --old " + peer + "', with HOST:PORT of"
                + " another peer; if it is the only peer of its cluster, restore a backup: 'seqsvr store restore'");
    }
}
