package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Names of Raft groups. */
class GroupNameTest {
    private static final String CLUSTER = "c57b4f0e-3d0f-4c7d-9be4-0c4f6d8b6f01";

    @Test
    void inItsFirstLifeAGroupBearsTheNameOfItsCluster() {
        assertEquals(CLUSTER, GroupName.of(CLUSTER, 0));
    }

    @Test
    void eachLifeOfEachClusterHasANameOfItsOwn() {
        var names = new HashSet<String>();
        for (int incarnation = 0; incarnation <= 1_023; incarnation++) {
            names.add(UUID.fromString(GroupName.of(CLUSTER, incarnation)).toString());
        }
        assertEquals(1_024, names.size());
        assertNotEquals(GroupName.of(CLUSTER, 1), GroupName.of("c57b4f0e-3d0f-4c7d-9be4-0c4f6d8b6f02", 1));
    }

    /** A directory on disk bears it: it must be the same in every version to come. */
    @Test
    void theNameIsTheSameForEver() {
        assertEquals("a8d22d4b-8f91-32da-b16e-9a0d85c1952c", GroupName.of(CLUSTER, 1));
    }
}
