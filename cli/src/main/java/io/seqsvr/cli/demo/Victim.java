package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.Tier;

/** Which nodes of a cluster a fault may befall. */
public enum Victim {
    /** Any AllocSvr. */
    ALLOCATOR("allocator", Tier.ALLOCSVR),
    /** Any router. */
    ROUTER("router", Tier.ROUTER),
    /** The StoreSvr peer that leads at that moment. */
    STORE_LEADER("store-leader", Tier.STORESVR),
    /** Any other StoreSvr peer. */
    STORE_FOLLOWER("store-follower", Tier.STORESVR);

    private final String word;
    private final Tier tier;

    Victim(String word, Tier tier) {
        this.word = word;
        this.tier = tier;
    }

    /** As it is typed. */
    public String word() {
        return word;
    }

    Tier tier() {
        return tier;
    }
}
