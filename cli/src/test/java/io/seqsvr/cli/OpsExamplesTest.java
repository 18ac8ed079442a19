package io.seqsvr.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.chaos.process.Launcher;
import io.seqsvr.cli.OpsExample.Reading;
import io.seqsvr.cli.OpsExample.Setting;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.router.RouterSettings;
import io.seqsvr.storesvr.StoreSvrSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples in ops/ are what the settings classes read, all of it, with the defaults that these have. */
final class OpsExamplesTest {
    private static final Pattern KNOWN = Pattern.compile(".* is no setting; known here are (.*)");
    private static final String UNKNOWN_KEY = "not_a_setting";

    /** One example and the class that reads it. */
    enum Tier {
        STORESVR,
        ALLOCSVR,
        ROUTER;

        private OpsExample example() {
            var file = name().toLowerCase(Locale.ROOT) + ".yaml";
            return new OpsExample(
                    SourceTree.text(Launcher.find().home().resolve("ops").resolve(file)));
        }

        private Reading<?> reading() {
            return switch (this) {
                case STORESVR -> StoreSvrSettings::read;
                case ALLOCSVR -> AllocSvrSettings::read;
                case ROUTER -> RouterSettings::read;
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void theExampleIsReadWithoutAProblem(Tier tier) {
        assertDoesNotThrow(() -> tier.example().read(tier.reading()));
    }

    @ParameterizedTest
    @EnumSource
    void soItIsWithEverythingSwitchedOn(Tier tier) {
        assertDoesNotThrow(() -> tier.example().whole().read(tier.reading()));
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyThatTheSettingsKnowIsInTheExample(Tier tier) {
        var whole = tier.example().whole();
        var named = whole.settings().stream()
                .map(Setting::path)
                .collect(groupingBy(
                        OpsExamplesTest::section,
                        mapping(path -> path.substring(path.lastIndexOf('.') + 1), toCollection(TreeSet::new))));
        named.forEach((section, keys) -> assertEquals(known(tier, section), keys, "in section '" + section + "'"));
    }

    private static Set<String> known(Tier tier, String section) {
        var path = section.isEmpty() ? UNKNOWN_KEY : section + "." + UNKNOWN_KEY;
        var problems = problemsOf(() -> tier.example().whole().readWith(path, "1", tier.reading()));
        assertEquals(1, problems.size(), problems::toString);
        var known = KNOWN.matcher(problems.get(0));
        assertTrue(known.matches(), problems::toString);
        return new TreeSet<>(List.of(known.group(1).split(", ", -1)));
    }

    private static String section(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyIsExplainedAndSaysWhetherItMayBeAbsent(Tier tier) {
        for (var setting : tier.example().whole().settings()) {
            assertTrue(setting.isRequired() || setting.hasDefault(), setting::toString);
            assertTrue(setting.comment().size() > 1, setting::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRequiredIsMissed(Tier tier) {
        var required = tier.example().whole().settings().stream()
                .filter(Setting::isRequired)
                .toList();
        assertNotEquals(List.of(), required);
        for (var setting : required) {
            var name = setting.path().replace("[]", "[0]");
            var problems = problemsOf(() -> tier.example().whole().readWithout(setting.path(), tier.reading()));
            assertTrue(
                    problems.stream().anyMatch(problem -> problem.startsWith(name + " is missing;")),
                    problems::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDefaultsInTheCommentsAreTheRealOnes(Tier tier) throws SettingsException {
        var literal = tier.example().whole().settings().stream()
                .filter(setting -> setting.literalDefault().isPresent())
                .toList();
        assertNotEquals(List.of(), literal);
        for (var setting : literal) {
            assertTrue(saysTheDefault(tier, setting), setting::toString);
        }
    }

    @Test
    void aWrongDefaultInACommentIsSeen() throws SettingsException {
        var setting = Tier.STORESVR.example().settings().stream()
                .filter(each -> each.path().equals("bootstrap.ttl"))
                .findFirst()
                .orElseThrow();
        assertTrue(saysTheDefault(Tier.STORESVR, setting));
        assertFalse(saysTheDefault(Tier.STORESVR, new Setting(setting.path(), List.of("Default: 4s"))));
    }

    private static boolean saysTheDefault(Tier tier, Setting setting) throws SettingsException {
        var whole = tier.example().whole();
        var said = setting.literalDefault().orElseThrow();
        return whole.readWith(setting.path(), said, tier.reading())
                .equals(whole.readWithout(setting.path(), tier.reading()));
    }

    /** Those that are sentences are checked one by one. */
    @Test
    void theOtherDefaultsAreAsTheySay() throws SettingsException {
        var others = Set.of(
                "cluster_id",
                "other_peers",
                "bootstrap",
                "bootstrap.namespaces",
                "bootstrap.namespaces[].segment_size",
                "bootstrap.namespaces[].step",
                "advertise",
                "name");
        for (var tier : Tier.values()) {
            for (var setting : tier.example().whole().settings()) {
                assertEquals(
                        setting.hasDefault() && others.contains(setting.path()),
                        setting.hasDefault() && setting.literalDefault().isEmpty(),
                        setting::toString);
            }
        }
        var store = Tier.STORESVR.example();
        var whole = store.whole();
        assertEquals(3, whole.read(StoreSvrSettings::read).peers().all().size());
        assertEquals(
                1,
                whole.readWithout("other_peers", StoreSvrSettings::read)
                        .peers()
                        .all()
                        .size());
        assertEquals(store.read(StoreSvrSettings::read), store.readWithout("bootstrap", StoreSvrSettings::read));
        assertEquals(
                store.read(StoreSvrSettings::read), store.readWithout("bootstrap.namespaces", StoreSvrSettings::read));
        var stepless = whole.readWithout("bootstrap.namespaces[].step", StoreSvrSettings::read)
                .bootstrap();
        assertEquals(stepless.defaults().step(), stepless.namespaces().get(0).step());
        var sizeless = whole.readWithout("bootstrap.namespaces[].segment_size", StoreSvrSettings::read)
                .bootstrap();
        assertEquals(
                sizeless.defaults().segmentSize(), sizeless.namespaces().get(0).segmentSize());
        assertEquals(
                Optional.empty(),
                Tier.ALLOCSVR.example().read(AllocSvrSettings::read).advertise());
        var router = Tier.ROUTER.example().read(RouterSettings::read);
        assertEquals(Optional.empty(), router.advertise());
        assertEquals(Optional.empty(), router.name());
    }

    @ParameterizedTest
    @CsvSource({
        "STORESVR, listen, 127.0.0.1:65536",
        "STORESVR, raft, 127.0.0.1:-1",
        "STORESVR, raft, 0.0.0.0:7712",
        "STORESVR, raft, '\"[::]:7712\"'",
        "STORESVR, other_peers[].listen, 0.0.0.0:7713",
        "STORESVR, peer, n2",
        "STORESVR, bootstrap.ttl, 499ms",
        "STORESVR, bootstrap.ttl, 60001ms",
        "STORESVR, bootstrap.drift, 0",
        "STORESVR, bootstrap.drift, 1.001",
        "STORESVR, bootstrap.namespaces[].name, 9lives",
        "STORESVR, bootstrap.namespaces[].capacity, 0",
        "STORESVR, bootstrap.namespaces[].capacity, 25000000001",
        "STORESVR, bootstrap.namespaces[].segment_size, 0",
        "STORESVR, bootstrap.namespaces[].segment_size, 10000001",
        "STORESVR, bootstrap.namespaces[].keying, Direct",
        "STORESVR, bootstrap.namespaces[].order, none",
        "STORESVR, bootstrap.namespaces[].step, 0",
        "STORESVR, bootstrap.namespaces[].max_count, 0",
        "STORESVR, bootstrap.namespaces[].max_count, 1000001",
        "STORESVR, bootstrap.namespaces[].max_jump, -1",
        "STORESVR, bootstrap.namespaces[].max_sequence, 0",
        "STORESVR, bootstrap.namespaces[].max_sequence, 9999",
        "ALLOCSVR, listen, 7721",
        "ALLOCSVR, advertise, here",
        "ALLOCSVR, store, []",
        "ALLOCSVR, store_timeout, 99ms",
        "ALLOCSVR, max_waiting, 0",
        "ALLOCSVR, max_waiting, 1000001",
        "ALLOCSVR, counter_memory_percent, 0",
        "ALLOCSVR, counter_memory_percent, 91",
        "ROUTER, listen, localhost",
        "ROUTER, store_timeout, 2",
    })
    void whatIsBeyondTheBoundsInTheCommentsIsRefused(Tier tier, String path, String value) {
        assertNotEquals(
                List.of(),
                problemsOf(() -> tier.example().whole().readWith(path, value, tier.reading())),
                path + ": " + value);
    }

    @ParameterizedTest
    @CsvSource({
        "STORESVR, bootstrap.ttl, 601ms",
        "STORESVR, bootstrap.ttl, 60s",
        "STORESVR, bootstrap.drift, 0.001",
        "STORESVR, bootstrap.drift, 1",
        "STORESVR, bootstrap.namespaces[].capacity, 1",
        "STORESVR, bootstrap.namespaces[].capacity, 25000000000",
        "STORESVR, bootstrap.namespaces[].segment_size, 10000000",
        "STORESVR, bootstrap.namespaces[].keying, hashed",
        "STORESVR, bootstrap.namespaces[].order, quorum",
        "STORESVR, bootstrap.namespaces[].step, 1",
        "STORESVR, bootstrap.namespaces[].step, 9223372036854775807",
        "STORESVR, bootstrap.namespaces[].max_count, 1",
        "STORESVR, bootstrap.namespaces[].max_count, 1000000",
        "STORESVR, bootstrap.namespaces[].max_jump, 0",
        "STORESVR, bootstrap.namespaces[].max_jump, 9223372036854775807",
        "STORESVR, bootstrap.namespaces[].max_sequence, 9007199254740991",
        "STORESVR, bootstrap.namespaces[].max_sequence, 2147483647",
        "ALLOCSVR, store, '[127.0.0.1:7711, \"[::1]:7713\"]'",
        "ALLOCSVR, store_timeout, 100ms",
        "ALLOCSVR, max_waiting, 1",
        "ALLOCSVR, max_waiting, 1000000",
        "ALLOCSVR, counter_memory_percent, 1",
        "ALLOCSVR, counter_memory_percent, 90",
        "ROUTER, store_timeout, 60s",
        "ROUTER, listen, 0.0.0.0:0",
    })
    void whatIsWithinThemIsAccepted(Tier tier, String path, String value) {
        assertDoesNotThrow(() -> tier.example().whole().readWith(path, value, tier.reading()));
    }

    @Test
    void theThreeTiersFindEachOther() throws SettingsException {
        var store = Tier.STORESVR.example().read(StoreSvrSettings::read);
        var allocator = Tier.ALLOCSVR.example().read(AllocSvrSettings::read);
        var router = Tier.ROUTER.example().read(RouterSettings::read);
        var own = store.peers().own();
        assertEquals(Path.of("seqsvr-data/n1"), store.data());
        assertEquals(List.of(own.service()), allocator.store());
        assertEquals(List.of(own.service()), router.store());
        assertEquals(
                4,
                Set.of(own.service(), own.raft(), allocator.listen(), router.listen())
                        .size());
    }

    private static List<String> problemsOf(Executable reading) {
        return assertThrows(SettingsException.class, reading).problems();
    }
}
