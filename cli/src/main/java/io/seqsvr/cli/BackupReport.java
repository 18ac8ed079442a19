package io.seqsvr.cli;

import io.seqsvr.storesvr.backup.Backup;
import io.seqsvr.storesvr.backup.Growth;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What was backed up, for people and for scripts.
 *
 * @param directory where to
 * @param backup what it is
 * @param rows how many it has
 * @param behind by how many entries the peer was behind the one that had applied most, of those that answered
 */
record BackupReport(Path directory, Backup backup, long rows, long behind) {
    String text() {
        var facts = backup.facts();
        return "backup=" + directory + " cluster=" + facts.clusterId() + " incarnation=" + facts.incarnation()
                + " peer=" + facts.peerId() + " term=" + facts.term() + " index=" + facts.index()
                + " confirmed=" + facts.confirmed() + " behind=" + behind
                + " unapplied=" + facts.unapplied() + " taken_at=" + facts.takenAt()
                + " rows=" + rows + " growth_per_second=" + facts.growthPerSecond()
                + " growth_over=" + facts.growthOver().toSeconds() + "s digest=" + backup.digest();
    }

    JsonObject json() {
        var facts = backup.facts();
        return new JsonObject()
                .put("backup", directory.toString())
                .put("cluster_id", facts.clusterId())
                .put("incarnation", facts.incarnation())
                .put("peer", facts.peerId())
                .put("term", Long.toString(facts.term()))
                .put("index", Long.toString(facts.index()))
                .put("confirmed", facts.confirmed())
                .put("behind", Long.toString(behind))
                .put("unapplied", Long.toString(facts.unapplied()))
                .put("taken_at", facts.takenAt().toString())
                .put("rows", Long.toString(rows))
                .put("growth_per_second", Long.toString(facts.growthPerSecond()))
                .put("growth_over_seconds", Long.toString(facts.growthOver().toSeconds()))
                .put("digest", backup.digest());
    }

    /** Why a restore of it will offer no advance; who knows no leader does not look, however long it runs. */
    Optional<String> shortLook() {
        var facts = backup.facts();
        return facts.growthIsKnown() || !facts.confirmed()
                ? Optional.empty()
                : Optional.of(facts.peerId() + " had looked at the growth for "
                        + facts.growthOver().toSeconds()
                        + " s: a restore of this backup offers no advance, so back up again when it has run for "
                        + Growth.ENOUGH.toMinutes() + " minutes, or name another peer with --peer");
    }

    /** What has to be thought of when such a backup is restored. */
    Optional<String> warning() {
        return backup.facts().confirmed()
                ? Optional.empty()
                : Optional.of(backup.facts().peerId() + " does not lead: the backup holds what its log held, with "
                        + backup.facts().unapplied() + " entries that it had not applied, but may be older than its"
                        + " taken_at says, and no advance that is offered for it allows for that");
    }
}
