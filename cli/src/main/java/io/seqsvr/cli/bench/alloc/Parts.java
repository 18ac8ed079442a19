package io.seqsvr.cli.bench.alloc;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The users of a run in parts, one for each connection: all of a part have one owner. */
final class Parts {
    private Parts() {}

    /**
     * The users that one connection calls.
     *
     * @param server where they are served
     * @param uids which
     */
    @SuppressWarnings("ArrayRecordComponent") // millions of them
    record Part(HostPort server, int[] uids) {}

    /** All users at one server, which has so many connections. */
    static List<Part> atOne(HostPort server, int users, int connections) {
        return split(List.of(server), new byte[users], connections);
    }

    /**
     * The first users of a namespace, which holds as many, at their owners, each of which has so many connections.
     *
     * @throws NotMeasured if the picture does not tell where all of them are
     */
    static List<Part> atOwners(RoutePicture picture, Namespace namespace, int users, int connections)
            throws NotMeasured {
        var servers = new ArrayList<HostPort>();
        var known = new HashMap<Long, Byte>();
        var owners = new byte[users];
        var bySegment = new HashMap<Integer, Byte>();
        for (int uid = 0; uid < users; uid++) {
            int segment = namespace.segmentOf(uid);
            var owner = bySegment.get(segment);
            if (owner == null) {
                owner = owner(picture, namespace, segment, known, servers);
                bySegment.put(segment, owner);
            }
            owners[uid] = owner;
        }
        return split(servers, owners, connections);
    }

    /** The place among the servers of who owns a segment. */
    private static byte owner(
            RoutePicture picture, Namespace namespace, int segment, Map<Long, Byte> known, List<HostPort> servers)
            throws NotMeasured {
        var range = picture.routes().find(namespace.id(), segment);
        var address = range.flatMap(found -> picture.addressOf(found.owner()));
        if (range.isEmpty() || address.isEmpty()) {
            throw new NotMeasured("segment " + segment + " of namespace '" + namespace.name() + "' has no owner now");
        }
        var place = known.get(range.get().owner());
        if (place == null) {
            if (servers.size() > Byte.MAX_VALUE) {
                throw new NotMeasured("there are more than " + servers.size() + " owners");
            }
            place = (byte) servers.size();
            servers.add(HostPort.parse(address.get()));
            known.put(range.get().owner(), place);
        }
        return place;
    }

    private static List<Part> split(List<HostPort> servers, byte[] owners, int connections) {
        var counts = new int[servers.size() * connections];
        for (int uid = 0; uid < owners.length; uid++) {
            counts[owners[uid] * connections + uid % connections]++;
        }
        var uids = new int[counts.length][];
        Arrays.setAll(uids, part -> new int[counts[part]]);
        Arrays.fill(counts, 0);
        for (int uid = 0; uid < owners.length; uid++) {
            int part = owners[uid] * connections + uid % connections;
            uids[part][counts[part]++] = uid;
        }
        var parts = new ArrayList<Part>();
        for (int part = 0; part < uids.length; part++) {
            if (uids[part].length > 0) {
                parts.add(new Part(servers.get(part / connections), uids[part]));
            }
        }
        return parts;
    }
}
