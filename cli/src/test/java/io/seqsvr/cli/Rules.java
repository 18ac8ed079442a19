package io.seqsvr.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.seqsvr.core.guard.Guards;
import java.util.Calendar;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/** What no arrow between modules says: rules inside them, and about single libraries. */
final class Rules {
    private static final String[] GENERATED = {"io.seqsvr.proto.v1", "io.seqsvr.proto.internal.v1"};

    /** Where generated classes are at home, as package patterns. */
    private static final String[] MAY_KNOW_GENERATED = {
        "io.seqsvr.proto..",
        "io.seqsvr.*.grpc..",
        "io.seqsvr.node.server",
        "io.seqsvr.node.api",
        "io.seqsvr.storeclient",
        "io.seqsvr.client",
    };

    /** Who knows generated classes elsewhere, and why; codecs beside these. */
    static final Map<String, String> KNOW_GENERATED_BECAUSE = Map.of(
            "io.seqsvr.storesvr.StoreSvr", "writes what the first leader will propose into the mark of a new directory",
            "io.seqsvr.storesvr.RestoredPeer", "writes the mark of a directory that is restored",
            "io.seqsvr.storesvr.disk.DataDirectory", "the mark at the top of a directory is a message",
            "io.seqsvr.storesvr.disk.MarkText", "writes that message as text, and reads it",
            "io.seqsvr.storesvr.expiry.SessionExpiry", "proposes commands to the log as their messages",
            "io.seqsvr.storesvr.raft.EntryQueue", "has commands wait as the messages that their entries will hold",
            "io.seqsvr.storesvr.raft.RaftMember", "puts the messages of commands into entries of the log",
            "io.seqsvr.storesvr.raft.LogEntries", "reads the entries of the log, which are messages",
            "io.seqsvr.storesvr.raft.StoreStateMachine", "answers an entry with the messages of its replies");

    private static final Set<String> SERVERS = Set.of("storesvr", "allocsvr", "router");

    private Rules() {}

    static ArchRule readsNoClock(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .accessTargetWhere(describe("it asks a clock or the machine", Rules::asksAClock))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .because("core takes time as an argument, so that the simulator can decide what time it is");
    }

    static ArchRule runsNoThread(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class, ThreadLocal.class, Timer.class)
                .because("core runs on its caller's thread: the order of events is the caller's, and can be replayed");
    }

    static ArchRule doesNoInputOrOutput(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.nio..", "java.net..", "java.util.logging..", "org.slf4j..")
                .because("what core wants done leaves as a value that its caller carries out");
    }

    static ArchRule drawsNoRandomOfItsOwn(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .accessTargetWhere(describe("it makes or finds randomness", Rules::drawsByItself))
                .because("core is given its randomness, so that a seed replays a story");
    }

    /** But for lines, which processes of seqsvr run on loops of their own, and for what is bound to Micrometer. */
    static ArchRule showsNoLibrary(String packageName) {
        return classes()
                .that()
                .resideInAPackage(packageName + "..")
                .and()
                .resideOutsideOfPackage(packageName + ".line..")
                .and()
                .haveSimpleNameNotEndingWith("Meters")
                .and()
                .arePublic()
                .should(new ShowNoLibrary())
                .because("which library carries the calls is the client's secret: a change of it breaks no caller");
    }

    static ArchRule noOtherServer(String server, String packageName) {
        var others = Stream.concat(SERVERS.stream().filter(other -> !other.equals(server)), Stream.of("cli", "chaos"));
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        others.map(other -> Arrow.ROOT + other + "..").toArray(String[]::new))
                .because("tiers are processes of their own: they meet on the wire");
    }

    static ArchRule knowsNoServer(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVERS.stream()
                        .map(server -> Arrow.ROOT + server + "..")
                        .toArray(String[]::new))
                .because("who tries what servers do does not run what they run");
    }

    static ArchRule onlyIn(Set<String> homes, String library, String because) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(
                        Stream.concat(homes.stream(), Stream.of(library)).toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because(because);
    }

    static ArchRule generatedClassesAtHome() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(MAY_KNOW_GENERATED)
                .and(describe("are no codecs", owner -> !isCodec(owner)))
                .and(describe("are no listed exception", owner -> !isListed(owner)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GENERATED)
                .because("a message is a form on the wire or on disk; behind the codecs there are core's types");
    }

    static ArchRule noCycles() {
        return slices().matching("io.seqsvr.(**)")
                .should()
                .beFreeOfCycles()
                .because("packages that need each other are one package, whatever their names say");
    }

    static ArchRule noLoggingOfTheJdk() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Main.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .because("there is one stream of logs, by slf4j; Main leads what libraries write elsewhere into it");
    }

    static ArchRule noSleep() {
        return noClasses()
                .should()
                .accessTargetWhere(describe("it sleeps", Rules::sleeps))
                .because("a sleep blocks an event loop or guesses a time; timers and conditions do neither");
    }

    static ArchRule guardsAreTakenAwayBySimulationsOnly() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.seqsvr.chaos..")
                .should()
                .accessTargetWhere(describe("it takes guards away", Rules::takesGuardsAway))
                .because("every guard of the protocol is in force wherever seqsvr serves anybody");
    }

    private static boolean takesGuardsAway(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Guards.class)
                && access.getTarget().getName().equals("without");
    }

    private static boolean asksAClock(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        var name = access.getTarget().getName();
        if (owner.isEquivalentTo(System.class)) {
            return !name.equals("arraycopy");
        }
        if (owner.getPackageName().startsWith("java.time")) {
            return name.equals("now");
        }
        return owner.isEquivalentTo(Date.class) || owner.isAssignableTo(Calendar.class);
    }

    private static boolean drawsByItself(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        var name = access.getTarget().getName();
        if (owner.isAssignableTo(RandomGenerator.class)) {
            return Set.of("<init>", "getDefault", "of", "current").contains(name);
        }
        if (owner.isEquivalentTo(RandomGeneratorFactory.class)) {
            return true;
        }
        return owner.isEquivalentTo(Math.class)
                ? name.equals("random")
                : owner.isEquivalentTo(UUID.class) && name.equals("randomUUID");
    }

    private static boolean sleeps(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        return access.getTarget().getName().equals("sleep")
                && (owner.isAssignableTo(Thread.class) || owner.isAssignableTo(TimeUnit.class));
    }

    static boolean isGenerated(JavaClass type) {
        return Set.of(GENERATED).contains(type.getPackageName());
    }

    private static boolean isCodec(JavaClass owner) {
        var name = outermost(owner);
        return name.endsWith("Encoder") || name.endsWith("Decoder") || name.endsWith("Codec");
    }

    private static boolean isListed(JavaClass owner) {
        return KNOW_GENERATED_BECAUSE.keySet().stream().anyMatch(listed -> isOf(owner, listed));
    }

    private static boolean isOf(JavaClass owner, String className) {
        return outermost(owner).equals(className);
    }

    private static String outermost(JavaClass owner) {
        var name = owner.getName();
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }

    /** No public or protected member, and nothing that the class extends or implements, bears a library's type. */
    private static final class ShowNoLibrary extends ArchCondition<JavaClass> {
        ShowNoLibrary() {
            super("show no type of a library and no generated one");
        }

        @Override
        public void check(JavaClass owner, ConditionEvents events) {
            var types = Stream.of(
                            owner.getSuperclass().stream(),
                            owner.getInterfaces().stream(),
                            owner.getTypeParameters().stream().map(JavaType.class::cast),
                            owner.getFields().stream().filter(Rules::isShown).map(JavaField::getType),
                            owner.getCodeUnits().stream().filter(Rules::isShown).flatMap(ShowNoLibrary::typesOf))
                    .flatMap(each -> each)
                    .map(JavaType.class::cast);
            types.flatMap(type -> type.getAllInvolvedRawTypes().stream())
                    .map(JavaClass::getBaseComponentType)
                    .distinct()
                    .filter(ShowNoLibrary::isForeign)
                    .forEach(shown -> events.add(
                            SimpleConditionEvent.violated(owner, owner.getName() + " shows " + shown.getName())));
        }

        private static Stream<JavaType> typesOf(JavaCodeUnit unit) {
            return Stream.of(
                            Stream.of(unit.getReturnType()),
                            unit.getParameterTypes().stream(),
                            unit.getExceptionTypes().stream(),
                            unit.getTypeParameters().stream())
                    .flatMap(each -> each)
                    .map(JavaType.class::cast);
        }

        private static boolean isForeign(JavaClass type) {
            var name = type.getPackageName();
            return Stream.of("java", "io.seqsvr.client", "io.seqsvr.core")
                            .noneMatch(home -> name.equals(home) || name.startsWith(home + "."))
                    && !type.isPrimitive();
        }
    }

    private static boolean isShown(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }
}
