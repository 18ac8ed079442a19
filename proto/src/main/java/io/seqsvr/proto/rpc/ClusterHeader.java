package io.seqsvr.proto.rpc;

/** The header of a request by which it says which cluster it means. */
public final class ClusterHeader {
    /** Its name; its value is the id of the cluster, as routes tell it. A server of another cluster refuses then. */
    public static final String NAME = "seqsvr-cluster-id";

    private ClusterHeader() {}
}
