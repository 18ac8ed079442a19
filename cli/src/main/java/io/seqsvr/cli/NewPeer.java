package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storeclient.GroupPicture;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.seqsvr.storesvr.peer.GroupChange;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A peer that is to get into the group of a living cluster.
 *
 * @param config its settings
 * @param options where the cluster is
 * @param replaces id of the peer whose place it takes
 */
record NewPeer(ConfigOption config, GroupOptions options, Optional<String> replaces) {
    /** Formats its data directory, unless the group would not admit it; the leader looks again when it asks. */
    int format(CommandSpec spec, OutputOptions output) throws StartupException, SettingsException {
        var settings = StoreSvrSettings.read(config.open());
        var own = settings.peers().own();
        var look = options.talk(group -> group.look(options.store()));
        if (look.picture().isEmpty()) {
            spec.commandLine().getErr().println("seqsvr: " + own.id() + " was not formatted: " + look.failure());
            return ExitCode.UNAVAILABLE;
        }
        var picture = look.picture().get();
        var refusal = refusal(settings, picture);
        if (refusal.isEmpty() && options.talk(group -> group.isTaken(own.service()))) {
            refusal = Optional.of("a peer serves at " + own.service() + " already; choose another 'listen'");
        }
        if (refusal.isPresent()) {
            throw new StartupException(own.id() + " was not formatted: " + refusal.get());
        }
        var seen = new TreeSet<>(picture.former());
        picture.members().forEach(member -> seen.add(member.id()));
        StoreSvr.formatToJoin(
                settings.data(), picture.clusterId(), picture.incarnation(), own.id(), options.store(), replaces, seen);
        output.print(
                spec.commandLine().getOut(),
                () -> own.id() + " is formatted to "
                        + replaces.map(old -> "replace " + old + " in").orElse("join") + " cluster "
                        + picture.clusterId() + "; start it with 'seqsvr storesvr'",
                () -> {
                    var json = new JsonObject()
                            .put("cluster_id", picture.clusterId())
                            .put("peer", own.id())
                            .put("data", settings.data().toString());
                    replaces.ifPresent(old -> json.put("replaces", old));
                    return json;
                });
        return ExitCode.OK;
    }

    /** Why the group would not admit it, one sentence. */
    Optional<String> refusal(StoreSvrSettings settings, GroupPicture picture) {
        var own = settings.peers().own();
        if (settings.clusterId().filter(id -> !id.equals(picture.clusterId())).isPresent()) {
            return Optional.of("its settings name cluster "
                    + settings.clusterId().get() + ", the peers of --store are of " + picture.clusterId());
        }
        if (own.raft().port() == 0 || own.service().port() == 0) {
            return Optional.of("'listen' and 'raft' need ports that the other peers can know, not 0");
        }
        var members = picture.members().stream()
                .map(peer -> new RaftPeers.Peer(peer.id(), peer.raft(), peer.service()))
                .toList();
        return new GroupChange(Optional.of(own), replaces)
                .refusal(new GroupChange.Known(members, picture.answering(), picture.former(), picture.ttlNanos()));
    }
}
