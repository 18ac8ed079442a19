package io.seqsvr.proto.codec;

import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.ClaimedSegment;
import io.seqsvr.proto.internal.v1.ClusterAltered;
import io.seqsvr.proto.internal.v1.ClusterCreated;
import io.seqsvr.proto.internal.v1.ClusterRefused;
import io.seqsvr.proto.internal.v1.ExpiryVoid;
import io.seqsvr.proto.internal.v1.FetchedTable;
import io.seqsvr.proto.internal.v1.FloorRaised;
import io.seqsvr.proto.internal.v1.FloorRefused;
import io.seqsvr.proto.internal.v1.NamespaceAltered;
import io.seqsvr.proto.internal.v1.NamespaceCreated;
import io.seqsvr.proto.internal.v1.NamespaceRefused;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.RaisedItem;
import io.seqsvr.proto.internal.v1.ReceiverRefused;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Released;
import io.seqsvr.proto.internal.v1.ReleasedItem;
import io.seqsvr.proto.internal.v1.RenewalUnheard;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteRange;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.RoutesPublished;
import io.seqsvr.proto.internal.v1.RoutesRefused;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.SessionEnded;
import io.seqsvr.proto.internal.v1.SessionExpelled;
import io.seqsvr.proto.internal.v1.SessionGone;
import io.seqsvr.proto.internal.v1.SessionHeld;
import io.seqsvr.proto.internal.v1.SessionLeaving;
import io.seqsvr.proto.internal.v1.SessionOpened;
import io.seqsvr.proto.internal.v1.TablesFetched;
import io.seqsvr.proto.internal.v1.TablesStored;
import io.seqsvr.proto.internal.v1.View;

/** Replies and views from the form of the rules to that of the wire. */
public final class ReplyEncoder {
    private ReplyEncoder() {}

    /** Encodes a reply. */
    public static Reply encode(StoreReply reply) {
        var encoded = Reply.newBuilder();
        if (reply instanceof StoreReply.Renewed renewed) {
            encoded.setRenewed(Renewed.newBuilder()
                    .setAssignmentVersion(renewed.assignmentVersion())
                    .setWatchVersion(renewed.watchVersion())
                    .addAllConfirmed(renewed.confirmed()));
        } else if (reply instanceof StoreReply.RenewalUnheard unheard) {
            encoded.setRenewalUnheard(RenewalUnheard.newBuilder().setSession(unheard.session()));
        } else if (reply instanceof StoreReply.Raised raised) {
            encoded.setRaised(encode(raised));
        } else if (reply instanceof StoreReply.Claimed claimed) {
            encoded.setClaimed(encode(claimed));
        } else if (reply instanceof StoreReply.Released released) {
            encoded.setReleased(encode(released));
        } else if (reply instanceof StoreReply.TablesStored stored) {
            encoded.setTablesStored(TablesStored.newBuilder().addAllStored(stored.stored()));
        } else if (reply instanceof StoreReply.TablesFetched fetched) {
            encoded.setTablesFetched(encode(fetched));
        } else if (reply instanceof StoreReply.RoutesPublished published) {
            encoded.setRoutesPublished(RoutesPublished.newBuilder().setVersion(published.version()));
        } else if (reply instanceof StoreReply.RoutesRefused refused) {
            encoded.setRoutesRefused(
                    RoutesRefused.newBuilder().setVersion(refused.version()).setReason(refused.reason()));
        } else if (reply instanceof StoreReply.ReceiverRefused refused) {
            encoded.setReceiverRefused(ReceiverRefused.newBuilder().setReason(refused.reason()));
        } else if (reply instanceof StoreReply.FloorRaised raised) {
            encoded.setFloorRaised(FloorRaised.newBuilder().setMaxSeq(raised.maxSeq()));
        } else if (reply instanceof StoreReply.FloorRefused refused) {
            encoded.setFloorRefused(FloorRefused.newBuilder().setOwner(refused.owner()));
        } else if (reply instanceof StoreReply.ClusterCreated created) {
            encoded.setClusterCreated(ClusterCreated.newBuilder().setCreated(created.created()));
        } else if (reply instanceof StoreReply.Rejected rejected) {
            encoded.setRejected(Rejected.newBuilder().setReason(rejected.reason()));
        } else if (!ofSettings(reply, encoded)) {
            ofSession(reply, encoded);
        }
        return encoded.build();
    }

    private static boolean ofSettings(StoreReply reply, Reply.Builder encoded) {
        if (reply instanceof StoreReply.NamespaceCreated created) {
            encoded.setNamespaceCreated(NamespaceCreated.newBuilder()
                    .setNamespace(SettingsCodec.encode(created.namespace()))
                    .setCreated(created.created()));
        } else if (reply instanceof StoreReply.NamespaceAltered altered) {
            encoded.setNamespaceAltered(
                    NamespaceAltered.newBuilder().setNamespace(SettingsCodec.encode(altered.namespace())));
        } else if (reply instanceof StoreReply.NamespaceRefused refused) {
            encoded.setNamespaceRefused(NamespaceRefused.newBuilder().setReason(refused.reason()));
        } else if (reply instanceof StoreReply.ClusterAltered altered) {
            encoded.setClusterAltered(ClusterAltered.newBuilder()
                    .setLease(SettingsCodec.encode(altered.lease()))
                    .setDefaults(SettingsCodec.encode(altered.defaults())));
        } else if (reply instanceof StoreReply.ClusterRefused refused) {
            encoded.setClusterRefused(ClusterRefused.newBuilder().setReason(refused.reason()));
        } else {
            return false;
        }
        return true;
    }

    private static void ofSession(StoreReply reply, Reply.Builder encoded) {
        if (reply instanceof StoreReply.SessionOpened opened) {
            encoded.setSessionOpened(SessionOpened.newBuilder()
                    .setSession(opened.session())
                    .setLease(SettingsCodec.encode(opened.lease())));
        } else if (reply instanceof StoreReply.SessionHeld held) {
            encoded.setSessionHeld(SessionHeld.newBuilder()
                    .setHolder(held.holder())
                    .setName(held.name())
                    .setAddress(held.address())
                    .setRemainingNanos(held.remainingNanos()));
        } else if (reply instanceof StoreReply.SessionGone gone) {
            encoded.setSessionGone(SessionGone.newBuilder().setSession(gone.session()));
        } else if (reply instanceof StoreReply.SessionLeaving leaving) {
            encoded.setSessionLeaving(SessionLeaving.newBuilder().setSession(leaving.session()));
        } else if (reply instanceof StoreReply.SessionEnded ended) {
            encoded.setSessionEnded(SessionEnded.newBuilder().setSession(ended.session()));
        } else if (reply instanceof StoreReply.SessionExpelled expelled) {
            encoded.setSessionExpelled(SessionExpelled.newBuilder().setSession(expelled.session()));
        } else if (reply instanceof StoreReply.ExpiryVoid isVoid) {
            encoded.setExpiryVoid(ExpiryVoid.newBuilder().setRenewal(isVoid.renewal()));
        } else {
            throw new IllegalStateException("no wire form for " + reply);
        }
    }

    /** Encodes a view. */
    public static View encode(StoreView view) {
        var encoded = View.newBuilder()
                .setLease(SettingsCodec.encode(view.lease()))
                .setPublishVersion(view.publishVersion())
                .setRoutes(encode(view.routes()))
                .setReleased(encode(view.released()));
        view.namespaces().forEach(namespace -> encoded.addNamespaces(SettingsCodec.encode(namespace)));
        for (var session : view.sessions()) {
            encoded.addSessions(Session.newBuilder()
                    .setSession(session.id())
                    .setKind(SessionKindCodec.encode(session.kind()))
                    .setName(session.name())
                    .setAddress(session.address())
                    .setAssignmentVersion(session.assignmentVersion())
                    .setExpelled(session.expelled())
                    .setLeaving(session.leaving())
                    .setNeverRenewed(!session.renewed()));
        }
        return encoded.build();
    }

    private static RouteTable encode(io.seqsvr.core.route.RouteTable table) {
        var encoded = RouteTable.newBuilder().setVersion(table.version());
        for (var range : table.ranges()) {
            encoded.addRanges(RouteRange.newBuilder()
                    .setNamespaceId(range.namespaceId())
                    .setFirstSegment(range.first())
                    .setLastSegment(range.last())
                    .setSession(range.owner())
                    .setEpoch(range.epoch()));
        }
        return encoded.build();
    }

    private static Claimed encode(StoreReply.Claimed claimed) {
        var encoded = Claimed.newBuilder()
                .setThrough(claimed.through())
                .setMore(claimed.more())
                .setVersion(claimed.version());
        for (var segment : claimed.segments()) {
            encoded.addSegments(ClaimedSegment.newBuilder()
                    .setNamespaceId(segment.segment().namespaceId())
                    .setSegment(segment.segment().index())
                    .setEpoch(segment.epoch())
                    .setBase(segment.base())
                    .setFromHigh(segment.fromHigh())
                    .setMaxSeq(segment.maxSeq())
                    .setTableStored(segment.tableStored()));
        }
        claimed.namespaces().forEach(namespace -> encoded.addNamespaces(SettingsCodec.encode(namespace)));
        return encoded.build();
    }

    private static TablesFetched encode(StoreReply.TablesFetched fetched) {
        var encoded = TablesFetched.newBuilder();
        for (var found : fetched.tables()) {
            var table = FetchedTable.newBuilder();
            found.ifPresent(exact -> table.setTable(TableCodec.encode(exact)));
            encoded.addTables(table);
        }
        return encoded.build();
    }

    private static Raised encode(StoreReply.Raised raised) {
        var encoded = Raised.newBuilder();
        for (var item : raised.items()) {
            encoded.addItems(RaisedItem.newBuilder()
                    .setNamespaceId(item.segment().namespaceId())
                    .setSegment(item.segment().index())
                    .setEpoch(item.epoch())
                    .setAccepted(item.accepted())
                    .setMaxSeq(item.maxSeq()));
        }
        return encoded.build();
    }

    private static Released encode(StoreReply.Released released) {
        var encoded = Released.newBuilder();
        for (var item : released.items()) {
            encoded.addItems(ReleasedItem.newBuilder()
                    .setNamespaceId(item.segment().namespaceId())
                    .setSegment(item.segment().index())
                    .setEpoch(item.epoch())
                    .setAccepted(item.accepted()));
        }
        return encoded.build();
    }
}
