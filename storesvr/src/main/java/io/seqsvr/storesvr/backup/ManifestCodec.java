package io.seqsvr.storesvr.backup;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.seqsvr.proto.internal.v1.BackupManifest;
import java.time.Duration;
import java.time.Instant;

/** The file that says what a backup is, as JSON. */
final class ManifestCodec {
    private ManifestCodec() {}

    /**
     * What the file says.
     *
     * @param format version of the backup's format
     * @param facts of what it is
     * @param content how much there is in it
     */
    record Manifest(int format, BackupFacts facts, Content content) {}

    /**
     * How much there is in a backup.
     *
     * @param pages files of rows
     * @param namespaces rows of namespaces
     * @param sessions rows of sessions
     * @param segments rows of segments
     */
    record Content(int pages, int namespaces, int sessions, int segments) {}

    static String encode(Manifest manifest) {
        var facts = manifest.facts();
        var message = BackupManifest.newBuilder()
                .setFormat(manifest.format())
                .setClusterId(facts.clusterId())
                .setIncarnation(facts.incarnation())
                .setPeerId(facts.peerId())
                .setTerm(facts.term())
                .setIndex(facts.index())
                .setConfirmed(facts.confirmed())
                .setUnapplied(facts.unapplied())
                .setTakenAtMillis(facts.takenAt().toEpochMilli())
                .setGrowthPerSecond(facts.growthPerSecond())
                .setGrowthOverSeconds(facts.growthOver().toSeconds())
                .setPages(manifest.content().pages())
                .setNamespaces(manifest.content().namespaces())
                .setSessions(manifest.content().sessions())
                .setSegments(manifest.content().segments())
                .build();
        try {
            return JsonFormat.printer().print(message) + "\n";
        } catch (InvalidProtocolBufferException unknownType) {
            throw new IllegalStateException("a manifest holds no type that could be unknown", unknownType);
        }
    }

    static Manifest decode(String json) throws InvalidProtocolBufferException {
        var message = BackupManifest.newBuilder();
        // A newer version may have added fields; the format's number tells, not a parse error.
        JsonFormat.parser().ignoringUnknownFields().merge(json, message);
        return new Manifest(
                message.getFormat(),
                new BackupFacts(
                        message.getClusterId(),
                        message.getIncarnation(),
                        message.getPeerId(),
                        message.getTerm(),
                        message.getIndex(),
                        message.getConfirmed(),
                        message.getUnapplied(),
                        Instant.ofEpochMilli(message.getTakenAtMillis()),
                        message.getGrowthPerSecond(),
                        Duration.ofSeconds(message.getGrowthOverSeconds())),
                new Content(message.getPages(), message.getNamespaces(), message.getSessions(), message.getSegments()));
    }
}
