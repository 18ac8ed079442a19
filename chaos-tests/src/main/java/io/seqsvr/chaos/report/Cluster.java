package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * What was broken in a run. Of a cluster that was there already only the users are known.
 *
 * @param stores how many StoreSvr peers
 * @param allocators how many AllocSvrs
 * @param routers how many routers
 * @param ttlMillis the ttl of sessions, in milliseconds
 * @param segments into how many its users were divided; 0 where that was not noted
 * @param step by how much their max_seq was raised; 0 where that was not noted
 * @param users how many asked
 */
public record Cluster(int stores, int allocators, int routers, long ttlMillis, int segments, long step, int users) {
    /** Whether it was not made for the run. */
    boolean isLiving() {
        return stores == 0;
    }

    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("stores", stores)
                .put("allocators", allocators)
                .put("routers", routers)
                .put("ttl_ms", ttlMillis)
                .put("segments", segments)
                .put("step", step)
                .put("users", users);
    }

    static Cluster from(Fields fields) {
        return new Cluster(
                fields.small("stores"),
                fields.small("allocators"),
                fields.small("routers"),
                fields.whole("ttl_ms"),
                // Files of before these were noted are still read.
                fields.has("segments") ? fields.small("segments") : 0,
                fields.has("step") ? fields.whole("step") : 0,
                fields.small("users"));
    }
}
