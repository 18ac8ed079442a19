package io.seqsvr.storesvr.raft;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The name of a Raft group, a UUID: that of the cluster in its first life, another one drawn from it for each further
 * incarnation. Peers answer those of their own group alone, so peers of two lives never talk to each other.
 */
public final class GroupName {
    private GroupName() {}

    /**
     * The name.
     *
     * @param clusterId a UUID
     * @param incarnation of the cluster, at least 0
     */
    public static String of(String clusterId, int incarnation) {
        if (incarnation == 0) {
            return clusterId;
        }
        var text = "seqsvr cluster " + UUID.fromString(clusterId) + " incarnation " + incarnation;
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
