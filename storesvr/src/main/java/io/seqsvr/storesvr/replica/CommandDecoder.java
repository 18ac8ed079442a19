package io.seqsvr.storesvr.replica;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.storesvr.codec.SettingsCodec;

/** Commands from the form of wire and log to that of the rules. */
public final class CommandDecoder {
    private CommandDecoder() {}

    /**
     * Decodes a command.
     *
     * @throws IllegalArgumentException if it is of no known kind or holds a value that no rule allows
     */
    public static StoreCommand decode(Command command) {
        return switch (command.getKindCase()) {
            case RENEW -> new StoreCommand.Renew(command.getRenew().getSession());
            case RAISE -> decode(command.getRaise());
            case CLAIM ->
                new StoreCommand.Claim(
                        command.getClaim().getSession(), command.getClaim().getSince());
            case OPEN_SESSION -> {
                var open = command.getOpenSession();
                yield new StoreCommand.OpenSession(open.getNonce(), open.getName(), open.getAddress());
            }
            case CLOSE_SESSION ->
                new StoreCommand.CloseSession(command.getCloseSession().getSession());
            case EXPIRE_SESSION ->
                new StoreCommand.ExpireSession(
                        command.getExpireSession().getSession(),
                        command.getExpireSession().getRenewalSeen());
            case PUBLISH_ROUTES -> decode(command.getPublishRoutes());
            case CREATE_CLUSTER -> decode(command.getCreateCluster());
            case KIND_NOT_SET -> throw new IllegalArgumentException("the command is of no known kind");
        };
    }

    private static StoreCommand decode(CreateCluster create) {
        return new StoreCommand.CreateCluster(
                create.getClusterId(),
                SettingsCodec.decode(create.getLease()),
                create.getNamespacesList().stream().map(SettingsCodec::decode).toList());
    }

    private static StoreCommand decode(PublishRoutes publish) {
        return new StoreCommand.PublishRoutes(
                publish.getExpectedVersion(),
                publish.getMovesList().stream()
                        .map(move -> new StoreCommand.Move(
                                move.getNamespaceId(),
                                move.getFirstSegment(),
                                move.getLastSegment(),
                                move.getSession()))
                        .toList());
    }

    private static StoreCommand decode(Raise raise) {
        return new StoreCommand.Raise(
                raise.getSession(),
                raise.getItemsList().stream()
                        .map(item -> new StoreCommand.RaiseItem(
                                new SegmentId(item.getNamespaceId(), item.getSegment()),
                                item.getEpoch(),
                                item.getMaxSeq()))
                        .toList());
    }
}
