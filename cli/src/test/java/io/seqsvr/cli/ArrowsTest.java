package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import com.tngtech.archunit.lang.ArchRule;
import io.seqsvr.cli.broken.Breaks;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of the design hold in what was compiled; and each rule fails where it should. */
final class ArrowsTest {
    private static final String BROKEN = Breaks.class.getPackageName();

    private static final String RATIS = "org.apache.ratis..";
    private static final String ROCKS = "org.rocksdb..";

    private static final JavaClasses MODULES = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.seqsvr");

    @Test
    void everyModuleIsLookedAt() {
        var seen = MODULES.stream()
                .map(each -> each.getPackageName().replaceFirst("io\\.seqsvr\\.(\\w+).*", "$1"))
                .collect(Collectors.toSet());
        assertEquals(Arrow.ALL.stream().map(Arrow::module).collect(Collectors.toSet()), seen);
    }

    @TestFactory
    Stream<DynamicTest> aModuleKnowsNoMoreThanItsArrowsSay() {
        return Arrow.ALL.stream()
                .map(arrow -> DynamicTest.dynamicTest(
                        arrow.module(), () -> arrow.ruleFor(arrow.home()).check(MODULES)));
    }

    @ParameterizedTest
    @CsvSource({
        "core, KnowsProto",
        "core, KnowsVertx",
        "core, Logs",
        "proto, KnowsMicrometer",
        "node, KnowsStoreClient",
        "node, KnowsStoreSvr",
        "storeclient, KnowsNode",
        "storeclient, KnowsStoreSvr",
        "client, KnowsNode",
        "client, KnowsStoreClient",
        "storesvr, KnowsStoreClient",
        "storesvr, KnowsAllocSvr",
        "allocsvr, KnowsClient",
        "allocsvr, KnowsStoreSvr",
        "allocsvr, KnowsRatis",
        "router, KnowsAllocSvr",
        "router, KnowsRocks",
        "chaos, KnowsCli",
        "chaos, KnowsStoreSvr",
        "chaos, KnowsAllocSvr",
        "chaos, KnowsRouter",
        "chaos, KnowsNode",
        "cli, KnowsRatis",
        "cli, KnowsRocks",
    })
    void anArrowThatIsNotThereIsRefused(String module, String fixture) {
        assertRefuses(Arrow.of(module).ruleFor(BROKEN), broken(fixture));
    }

    @Test
    void coreReadsNoClock() {
        Rules.readsNoClock(Arrow.of("core").home()).check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AsksTheMonotonicClock", "AsksTheWallClock", "AsksForAnInstant", "HandsTheClockOn"})
    void aClockIsSeen(String fixture) {
        assertRefuses(Rules.readsNoClock(BROKEN), broken(fixture));
    }

    @Test
    void coreRunsNoThread() {
        Rules.runsNoThread(Arrow.of("core").home()).check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"StartsAThread", "HoldsAnExecutor"})
    void aThreadIsSeen(String fixture) {
        assertRefuses(Rules.runsNoThread(BROKEN), broken(fixture));
    }

    @Test
    void coreDoesNoInputOrOutput() {
        Rules.doesNoInputOrOutput(Arrow.of("core").home()).check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ReadsAFile", "Logs"})
    void inputAndOutputAreSeen(String fixture) {
        assertRefuses(Rules.doesNoInputOrOutput(BROKEN), broken(fixture));
    }

    @Test
    void coreDrawsNoRandomOfItsOwn() {
        Rules.drawsNoRandomOfItsOwn(Arrow.of("core").home()).check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MakesARandom", "TakesTheThreadsRandom", "TakesTheDefaultRandom", "DrawsByMath", "DrawsAnId"})
    void randomnessIsSeen(String fixture) {
        assertRefuses(Rules.drawsNoRandomOfItsOwn(BROKEN), broken(fixture));
    }

    @Test
    void theClientShowsNoLibrary() {
        Rules.showsNoLibrary(Arrow.of("client").home()).check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReturnsAFuture",
                "TakesAListOfVertx",
                "ReturnsAStageOfARequest",
                "BoundsByAMessage",
                "IsAVertxException"
            })
    void aShownLibraryIsSeen(String fixture) {
        assertRefuses(Rules.showsNoLibrary(BROKEN), broken(fixture));
    }

    @ParameterizedTest
    @ValueSource(strings = {"storesvr", "allocsvr", "router"})
    void noServerKnowsAnother(String server) {
        Rules.noOtherServer(server, Arrow.of(server).home()).check(MODULES);
    }

    @ParameterizedTest
    @CsvSource({
        "storesvr, KnowsAllocSvr",
        "storesvr, KnowsRouter",
        "allocsvr, KnowsStoreSvr",
        "allocsvr, KnowsCli",
        "router, KnowsAllocSvr",
        "router, KnowsChaos"
    })
    void anotherServerIsSeen(String server, String fixture) {
        assertRefuses(Rules.noOtherServer(server, BROKEN), broken(fixture));
    }

    /** What breaks clusters sees of their processes what anybody sees from outside. */
    @Test
    void noHarnessKnowsAServer() {
        Rules.knowsNoServer("io.seqsvr.cli.demo").check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KnowsStoreSvr", "KnowsAllocSvr", "KnowsRouter"})
    void aServerThatAHarnessKnowsIsSeen(String fixture) {
        assertRefuses(Rules.knowsNoServer(BROKEN), broken(fixture));
    }

    @Test
    void onlyTheRaftPackageKnowsRatis() {
        ratisAtHome().check(MODULES);
        assertRefuses(ratisAtHome(), broken("KnowsRatis"));
    }

    @Test
    void onlyTheRocksPackageKnowsRocksDb() {
        rocksAtHome().check(MODULES);
        assertRefuses(rocksAtHome(), broken("KnowsRocks"));
    }

    @Test
    void onlyTheProxyAndTheSocketsOfANodeKnowNetty() {
        nettyAtHome().check(MODULES);
        assertRefuses(nettyAtHome(), broken("KnowsNetty"));
    }

    private static ArchRule nettyAtHome() {
        return Rules.onlyIn(
                Set.of("io.seqsvr.chaos.proxy", "io.seqsvr.node.socket"),
                "io.netty..",
                "Vert.x is what we know of sockets, but for resets on purpose, whom it accepts and when it writes");
    }

    private static ArchRule ratisAtHome() {
        return Rules.onlyIn(
                Set.of("io.seqsvr.storesvr.raft"), RATIS, "another Raft would be another package, and no more");
    }

    private static ArchRule rocksAtHome() {
        return Rules.onlyIn(
                Set.of("io.seqsvr.storesvr.rocks"), ROCKS, "another database would be another package, and no more");
    }

    @Test
    void generatedClassesStayInCodecsAndServices() {
        Rules.generatedClassesAtHome().check(MODULES);
        assertRefuses(Rules.generatedClassesAtHome(), broken("KnowsProto"));
    }

    @TestFactory
    Stream<DynamicTest> noExceptionForGeneratedClassesOutlivesItsNeed() {
        return Rules.KNOW_GENERATED_BECAUSE.entrySet().stream()
                .map(listed -> DynamicTest.dynamicTest(listed.getKey() + ": " + listed.getValue(), () -> {
                    var known = MODULES.get(listed.getKey()).getDirectDependenciesFromSelf();
                    assertTrue(known.stream().anyMatch(each -> Rules.isGenerated(each.getTargetClass())));
                }));
    }

    @Test
    void noPackagesNeedEachOther() {
        Rules.noCycles().check(MODULES);
        assertRefuses(Rules.noCycles(), new ClassFileImporter().importPackages(BROKEN));
    }

    @Test
    void nobodyButMainKnowsTheLoggingOfTheJdk() {
        Rules.noLoggingOfTheJdk().check(MODULES);
        assertRefuses(Rules.noLoggingOfTheJdk(), broken("LogsToTheJdk"));
    }

    @Test
    void everyGuardIsInForceOutsideOfSimulations() {
        Rules.guardsAreTakenAwayBySimulationsOnly().check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TakesAGuardAway", "LetsOthersTakeGuardsAway"})
    void aGuardTakenAwayIsSeen(String fixture) {
        assertRefuses(Rules.guardsAreTakenAwayBySimulationsOnly(), broken(fixture));
    }

    @Test
    void nobodySleeps() {
        Rules.noSleep().check(MODULES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SleepsInAThread", "SleepsByUnit"})
    void aSleepIsSeen(String fixture) {
        assertRefuses(Rules.noSleep(), broken(fixture));
    }

    private static JavaClasses broken(String fixture) {
        return new ClassFileImporter().importClasses(fixtureClass(fixture));
    }

    private static Class<?> fixtureClass(String fixture) {
        try {
            return Class.forName(Breaks.class.getName() + "$" + fixture);
        } catch (ClassNotFoundException missing) {
            throw new IllegalArgumentException("no fixture " + fixture, missing);
        }
    }

    private static void assertRefuses(ArchRule rule, JavaClasses classes) {
        assertTrue(rule.evaluate(classes).hasViolation(), () -> "accepts " + classes + ": " + rule.getDescription());
    }
}
