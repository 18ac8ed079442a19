package io.seqsvr.cli;

import io.seqsvr.client.CurrentSequence;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.storeclient.SegmentFacts;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * All that is known of one user, for people and for scripts. Parts of it are of slightly different moments.
 *
 * @param facts what StoreSvr has of the segment; nothing before its first assignment
 * @param owner who has it, if that session is open
 * @param current what the owner says of the user
 * @param failure why it says nothing; empty if it does
 */
record UserReport(
        long uid,
        Namespace namespace,
        SegmentId segment,
        Optional<SegmentFacts> facts,
        Optional<Member> owner,
        Optional<CurrentSequence> current,
        String failure) {
    /** Before anybody was asked. */
    UserReport(long uid, Namespace namespace, SegmentId segment, Optional<SegmentFacts> facts, Optional<Member> owner) {
        this(uid, namespace, segment, facts, owner, Optional.empty(), "nobody was asked");
    }

    UserReport withAnswer(CurrentSequence told) {
        return new UserReport(uid, namespace, segment, facts, owner, Optional.of(told), "");
    }

    UserReport withoutAnswer(String why) {
        return new UserReport(uid, namespace, segment, facts, owner, Optional.empty(), why);
    }

    int exitCode() {
        return current.isPresent() ? ExitCode.OK : ExitCode.UNHEALTHY;
    }

    String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add("user      " + Long.toUnsignedString(uid) + " of namespace " + namespace.name());
        lines.add("segment   " + segment.index() + ", slot " + namespace.slotOf(uid));
        lines.add("owner     "
                + owner.map(member -> member.name() + " " + member.address() + ", session " + member.id())
                        .orElse("-"));
        lines.add("epoch     "
                + facts.map(known -> known.epoch() + ", from " + known.base() + " on")
                        .orElse("-"));
        lines.add("cur_seq   "
                + current.map(told -> told.seq() + " " + told.exactness()).orElse("-"));
        lines.add(
                "max_seq   " + facts.map(known -> Long.toString(known.maxSeq())).orElse("-"));
        if (current.isEmpty()) {
            lines.add("");
            lines.add("UNHEALTHY: " + failure);
        }
        return lines.toString();
    }

    JsonObject json() {
        var json = new JsonObject()
                .put("uid", Long.toUnsignedString(uid))
                .put("namespace", namespace.name())
                .put("segment", segment.index())
                .put("slot", namespace.slotOf(uid))
                .put("healthy", current.isPresent());
        owner.ifPresent(member -> json.put(
                "owner",
                new JsonObject()
                        .put("name", member.name())
                        .put("address", member.address())
                        .put("session", Long.toString(member.id()))));
        facts.ifPresent(known -> json.put("epoch", Long.toString(known.epoch()))
                .put("base", Long.toString(known.base()))
                .put("max_seq", Long.toString(known.maxSeq())));
        current.ifPresent(told -> json.put("cur_seq", Long.toString(told.seq()))
                .put("exactness", told.exactness().name()));
        if (current.isEmpty()) {
            json.put("failure", failure);
        }
        return json;
    }
}
