package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every key of StoreSvr's settings, its default and its rule. */
class StoreSvrSettingsTest {
    private static final String A_PORT = "; peers call each other there, at a port from 1 to 65535";

    private static StoreSvrSettings read(String yaml) throws SettingsException {
        return StoreSvrSettings.read(SettingsReader.ofText("storesvr.yaml", yaml));
    }

    private static List<String> problems(String yaml) {
        return assertThrows(SettingsException.class, () -> read(yaml)).problems();
    }

    @Test
    void twoKeysAreEnoughAndTheRestHasDefaults() throws SettingsException {
        var settings = read("""
                data: /var/lib/seqsvr
                peer: peer-1
                """);
        assertEquals(Path.of("/var/lib/seqsvr"), settings.data());
        assertEquals(Optional.empty(), settings.clusterId());
        assertEquals(
                new RaftPeers(
                        "peer-1",
                        List.of(new RaftPeers.Peer(
                                "peer-1", new HostPort("127.0.0.1", 7712), new HostPort("127.0.0.1", 7711)))),
                settings.peers());
        assertEquals(new HostPort("127.0.0.1", 7711), settings.listen());
        assertEquals(new LeaseTerms(3_000_000_000L, 100), settings.bootstrap().lease());
        assertEquals(
                List.of(new Namespace(
                        1,
                        "default",
                        1L << 32,
                        100_000,
                        Keying.DIRECT,
                        Order.LEASE,
                        10_000,
                        10_000,
                        1_000_000,
                        Long.MAX_VALUE)),
                settings.bootstrap().namespaces());
    }

    @Test
    void everyKeyIsRead() throws SettingsException {
        var settings = read("""
                data: /data
                cluster_id: 0f1e2d3c-0000-4000-8000-000000000001
                peer: b
                listen: 0.0.0.0:1
                advertise: 10.0.0.2:9
                raft: 10.0.0.2:2
                snapshot_entries: 500
                other_peers:
                  - peer: a
                    listen: 10.0.0.1:3
                    raft: 10.0.0.1:4
                bootstrap:
                  ttl: 700ms
                  drift: 0.25
                  segment_size: 50000
                  step: 300
                  namespaces:
                    - name: messages
                      capacity: 1000
                      segment_size: 10
                      keying: hashed
                      order: quorum
                      step: 100
                      max_count: 20
                      max_jump: 0
                      max_sequence: 9007199254740991
                    - name: contacts
                """);
        assertEquals(Optional.of("0f1e2d3c-0000-4000-8000-000000000001"), settings.clusterId());
        assertEquals(500, settings.snapshotEntries());
        assertEquals(new HostPort("0.0.0.0", 1), settings.listen());
        assertEquals(
                new RaftPeers(
                        "b",
                        List.of(
                                new RaftPeers.Peer("b", new HostPort("10.0.0.2", 2), new HostPort("10.0.0.2", 9)),
                                new RaftPeers.Peer("a", new HostPort("10.0.0.1", 4), new HostPort("10.0.0.1", 3)))),
                settings.peers());
        assertEquals(
                new StoreSvrSettings.Bootstrap(
                        new LeaseTerms(700_000_000L, 250),
                        new NamespaceDefaults(50_000, 300),
                        List.of(
                                new Namespace(
                                        1,
                                        "messages",
                                        1_000,
                                        10,
                                        Keying.HASHED,
                                        Order.QUORUM,
                                        100,
                                        20,
                                        0,
                                        (1L << 53) - 1),
                                new Namespace(2, "contacts", 1L << 32, 50_000, 300, 10_000, Long.MAX_VALUE))),
                settings.bootstrap());
    }

    @Test
    void everyProblemIsToldAtOnceWithKeyValueAndRule() {
        assertEquals(
                List.of(
                        "data is missing; it must be given",
                        "listen is 'here'; it must be HOST:PORT with a port from 0 to 65535",
                        "raft is '10.0.0.2:65536'; it must be HOST:PORT with a port from 0 to 65535",
                        "snapshot_entries is 99; it must be a whole number from 100 to 1000000",
                        "other_peers[0].peer is empty; it must be given",
                        "other_peers[0].raft is missing; it must be given as HOST:PORT",
                        "other_peers[0].listen is missing; it must be given as HOST:PORT",
                        "in bootstrap: ttl is 400 ms; it must be from 500 ms to 60 s",
                        "in bootstrap: drift is 2.0; it must be from 0.001 to 1",
                        "bootstrap.namespaces[0].name is missing; it must be given",
                        "bootstrap.namespaces[0].capacity is 0; it must be a whole number from 1 to " + Long.MAX_VALUE,
                        "in bootstrap.namespaces[0]: name is ''; it must be 1 to 63 of a-z, 0-9, - and _,"
                                + " beginning with a letter",
                        "colour is no setting; known here are advertise, bootstrap, cluster_id, data, listen,"
                                + " other_peers, peer, raft, snapshot_entries",
                        "bootstrap.tll is no setting; known here are drift, namespaces, segment_size, step, ttl"),
                problems("""
                        peer: a
                        listen: here
                        raft: 10.0.0.2:65536
                        snapshot_entries: 99
                        colour: blue
                        other_peers:
                          - peer: ''
                        bootstrap:
                          ttl: 400ms
                          tll: 3s
                          drift: 2
                          namespaces:
                            - capacity: 0
                        """));
    }

    @Test
    void severalPeersNeedALeaseThatOutlivesAnElection() {
        assertEquals(
                List.of("bootstrap.ttl is 600 ms; with several peers it must be above the election time of 600 ms"),
                problems("""
                        data: /data
                        peer: a
                        other_peers:
                          - {peer: b, raft: '10.0.0.1:1', listen: '10.0.0.1:2'}
                        bootstrap: {ttl: 600ms}
                        """));
    }

    @Test
    void eachRuleOfANamespaceIsChecked() {
        assertEquals(
                List.of(
                        "bootstrap.namespaces[0].segment_size is 10000001; it must be a whole number from 1 to"
                                + " 10000000",
                        "bootstrap.namespaces[0].keying is 'md5'; it must be direct or hashed",
                        "bootstrap.namespaces[0].order is 'QUORUM'; it must be lease or quorum",
                        "bootstrap.namespaces[0].step is 0; it must be a whole number from 1 to 9223372036854775807",
                        "bootstrap.namespaces[0].max_count is 'many'; it must be a whole number from 1 to 2147483647",
                        "bootstrap.namespaces[0].max_jump is -1; it must be a whole number from 0 to"
                                + " 9223372036854775807",
                        "bootstrap.namespaces[0].max_sequence is -1; it must be a whole number from 1 to"
                                + " 9223372036854775807",
                        "in bootstrap.namespaces[1]: name is 'Big'; it must be 1 to 63 of a-z, 0-9, - and _,"
                                + " beginning with a letter",
                        "in bootstrap.namespaces[1]: capacity is 250001; it must be from 1 to 250000",
                        "in bootstrap.namespaces[1]: step is 101; it must be from 1 to 100",
                        "in bootstrap.namespaces[1]: max_count is 1000001; it must be from 1 to 1000000"),
                problems("""
                        data: /data
                        peer: a
                        bootstrap:
                          namespaces:
                            - name: messages
                              segment_size: 10000001
                              keying: md5
                              order: QUORUM
                              step: 0
                              max_count: many
                              max_jump: -1
                              max_sequence: -1
                            - name: Big
                              capacity: 250001
                              segment_size: 1
                              step: 101
                              max_count: 1000001
                              max_sequence: 100
                        """));
    }

    /** What a peer is told to be reached at is also what it tells: behind 0.0.0.0 each finds itself. */
    @Test
    void addressesThatOthersAreToldAreThoseOfOneMachine() {
        var rule =
                "; others are told it, so it must be an address at which they reach the process, and not all addresses"
                        + " of a machine";
        assertEquals(
                List.of(
                        "raft is 0.0.0.0:7712" + rule,
                        "other_peers[0].raft is [::]:1" + rule,
                        "other_peers[0].listen is 0.0.0.0:2" + rule),
                problems("""
                        data: /data
                        peer: a
                        raft: 0.0.0.0:7712
                        other_peers:
                          - {peer: b, raft: '[::]:1', listen: '0.0.0.0:2'}
                        """));
        assertEquals(List.of("raft is [::]:7712" + rule), problems("""
                        data: /data
                        peer: a
                        raft: '[::]:7712'
                        """));
    }

    @Test
    void twoPeersNeverShareAnId() {
        assertEquals(List.of("in other_peers[1]: peer is 'a'; each peer's id must be its own"), problems("""
                        data: /data
                        peer: a
                        other_peers:
                          - {peer: b, raft: 'b:1', listen: 'b:2'}
                          - {peer: a, raft: 'c:1', listen: 'c:2'}
                        """));
    }

    @Test
    void twoNamespacesNeverShareAName() {
        assertEquals(
                List.of("in bootstrap.namespaces[2]: name is 'messages'; each namespace needs its own"), problems("""
                        data: /data
                        peer: a
                        bootstrap:
                          namespaces:
                            - name: messages
                            - name: contacts
                            - name: messages
                        """));
    }

    @Test
    void moreSegmentsThanAClusterHasAreRefusedBeforeThereIsOne() {
        assertEquals(
                List.of("in bootstrap: namespaces have 250001 segments together; a cluster has at most 250000: take a"
                        + " greater segment_size or a smaller capacity"),
                problems("""
                        data: /data
                        peer: a
                        bootstrap:
                          namespaces:
                            - {name: messages, segment_size: 1000, capacity: 250000000}
                            - {name: contacts, segment_size: 1000, capacity: 1000}
                        """));
    }

    @Test
    void theNamespaceThatIsMadeByItselfHasTheDefaults() throws SettingsException {
        var settings = read("""
                data: /data
                peer: a
                bootstrap: {segment_size: 50000, step: 300}
                """);
        assertEquals(
                List.of(new Namespace(1, "default", 1L << 32, 50_000, 300, 10_000, Long.MAX_VALUE)),
                settings.bootstrap().namespaces());
    }

    @Test
    void defaultsThatSuitNoNamespaceAreRefused() {
        assertEquals(
                List.of("bootstrap.step is 0; it must be a whole number from 1 to 9223372036854775807"), problems("""
                        data: /data
                        peer: a
                        bootstrap: {step: 0}
                        """));
        assertEquals(
                List.of("in bootstrap: capacity is 4294967296; it must be from 1 to 1000000000, in the namespace"
                        + " 'default', made where 'namespaces' names none"),
                problems("""
                        data: /data
                        peer: a
                        bootstrap: {segment_size: 4000}
                        """));
    }

    @Test
    void aLeaseOfManyYearsIsRefusedLikeAnyOther() {
        assertEquals(List.of("in bootstrap: ttl is 9223372036854 ms; it must be from 500 ms to 60 s"), problems("""
                        data: /data
                        peer: a
                        bootstrap:
                          ttl: 999999999h
                        """));
    }

    @Test
    void aDriftThatWrapsAroundIntoTheAllowedOnesIsRefused() {
        assertEquals(List.of("in bootstrap: drift is 1000000.0; it must be from 0.001 to 1"), problems("""
                        data: /data
                        peer: a
                        bootstrap:
                          drift: 4294967.396
                        """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0014", "0.0005", "0.1001"})
    void aDriftIsNotRounded(String drift) {
        assertEquals(
                List.of("in bootstrap: drift is " + drift
                        + "; it must be from 0.001 to 1, with three decimals at most"),
                problems("data: /data\npeer: a\nbootstrap: {drift: " + drift + "}\n"));
    }

    @ParameterizedTest
    @CsvSource({"0.001, 1", "0.029, 29", "0.5750, 575", "1, 1000", "1.0, 1000"})
    void aDriftOfThreeDecimalsIsTakenAsItStands(String drift, int permille) throws SettingsException {
        var settings = read("data: /data\npeer: a\nbootstrap: {drift: " + drift + "}\n");
        assertEquals(permille, settings.bootstrap().lease().driftPermille());
    }

    /** Ratis would take a free port that nobody is told. */
    @Test
    void whereOtherPeersCallThereIsAPort() throws SettingsException {
        assertEquals(
                List.of(
                        "in other_peers[0]: raft is 10.0.0.1:0" + A_PORT,
                        "in other_peers[1]: listen is 10.0.0.2:0" + A_PORT,
                        "raft is 127.0.0.1:0" + A_PORT,
                        "listen is 127.0.0.1:0" + A_PORT),
                problems("""
                        data: /data
                        peer: a
                        listen: 127.0.0.1:0
                        raft: 127.0.0.1:0
                        other_peers:
                          - {peer: b, raft: '10.0.0.1:0', listen: '10.0.0.1:2'}
                          - {peer: c, raft: '10.0.0.2:1', listen: '10.0.0.2:0'}
                        """));
        assertEquals(
                new HostPort("127.0.0.1", 0),
                read("data: /data\npeer: a\nraft: 127.0.0.1:0\n").peers().own().raft());
    }

    @Test
    void aSectionThatIsNoneIsRefused() {
        assertEquals(
                List.of(
                        "other_peers is 'b'; it must be a list of sections",
                        "bootstrap is '3s'; it must be a section of 'key: value' lines"),
                problems("""
                        data: /data
                        peer: a
                        other_peers: b
                        bootstrap: 3s
                        """));
    }
}
