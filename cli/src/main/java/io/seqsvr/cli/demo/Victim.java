package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.Tier;

/** Which nodes of a cluster a fault may befall. */
public enum Victim {
    /** Any AllocSvr. */
    ALLOCATOR("allocator", "an AllocSvr", Tier.ALLOCSVR),
    /** All AllocSvrs at once. */
    ALLOCATORS("allocators", "all AllocSvrs", Tier.ALLOCSVR),
    /** Any router. */
    ROUTER("router", "a router", Tier.ROUTER),
    /** All routers at once. */
    ROUTERS("routers", "all routers", Tier.ROUTER),
    /** The StoreSvr peer that leads at that moment. */
    STORE_LEADER("store-leader", "the leader of StoreSvr", Tier.STORESVR),
    /** Any other StoreSvr peer. */
    STORE_FOLLOWER("store-follower", "another peer of StoreSvr", Tier.STORESVR),
    /** All StoreSvr peers at once. */
    STORES("stores", "all peers of StoreSvr", Tier.STORESVR),
    /** An application that asks. */
    CALLER("caller", "an application that asks", Tier.CALLER);

    private final String word;
    private final String words;
    private final Tier tier;

    Victim(String word, String words, Tier tier) {
        this.word = word;
        this.words = words;
        this.tier = tier;
    }

    /** As it is typed. */
    public String word() {
        return word;
    }

    /** For people. */
    public String words() {
        return words;
    }

    Tier tier() {
        return tier;
    }

    /** Whether no node of its tier is left alone. */
    boolean isWholeTier() {
        return this == ALLOCATORS || this == ROUTERS || this == STORES;
    }
}
