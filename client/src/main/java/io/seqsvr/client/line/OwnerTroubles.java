package io.seqsvr.client.line;

import java.util.LinkedHashMap;
import java.util.Map;

/** Why owners did not answer, of each what was heard last: for calls whose time is over. */
final class OwnerTroubles {
    /** Owners come and go: of more than that, those that were in trouble first are forgotten. */
    private static final int MOST = 1_024;

    private final Map<String, String> byAddress = new LinkedHashMap<>();

    /** An owner will not answer a frame. */
    void add(String address, String why) {
        byAddress.put(address, why);
        if (byAddress.size() > MOST) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
    }

    /** An owner has answered one. */
    void over(String address) {
        byAddress.remove(address);
    }

    /**
     * What was heard last of an owner, as a sentence.
     *
     * @param address empty if nobody was asked
     */
    String of(String address) {
        var nothing = "nothing was heard of it";
        return byAddress.getOrDefault(address, address.isEmpty() ? nothing : address + ": " + nothing);
    }
}
