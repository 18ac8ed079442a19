package io.seqsvr.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one module may know, of seqsvr and of the libraries; everything else it may not.
 *
 * @param module its last package name
 * @param modules the modules that it may know
 * @param libraries the packages of libraries that it may know beside the JDK and jspecify
 * @param because why no more
 */
record Arrow(String module, List<String> modules, List<String> libraries, String because) {
    static final String ROOT = "io.seqsvr.";

    private static final String VERTX = "io.vertx..";
    private static final String NETTY = "io.netty..";
    private static final String MICROMETER = "io.micrometer..";
    private static final String PROTOBUF = "com.google.protobuf..";
    private static final String RPC_STATUS = "com.google.rpc..";
    private static final String HTTP_RULES = "com.google.api..";
    private static final String SLF4J = "org.slf4j..";
    private static final String HISTOGRAM = "org.HdrHistogram..";
    private static final String LOGBACK = "ch.qos.logback..";

    static final List<Arrow> ALL = List.of(
            new Arrow(
                    "core",
                    List.of(),
                    List.of(),
                    "the same core runs in production and in the simulator, which would have to imitate what it knows"),
            new Arrow(
                    "proto",
                    List.of("core"),
                    List.of(PROTOBUF, RPC_STATUS, HTTP_RULES, VERTX),
                    "the wire is messages, what core's values are as such, and how calls travel; nobody decides there"),
            new Arrow(
                    "node",
                    List.of("proto", "core"),
                    List.of(
                            PROTOBUF,
                            RPC_STATUS,
                            HTTP_RULES,
                            VERTX,
                            NETTY,
                            MICROMETER,
                            SLF4J,
                            "org.snakeyaml.engine..",
                            "com.sun.management.."),
                    "what every process has cannot know what only one of them is"),
            new Arrow(
                    "storeclient",
                    List.of("proto", "core"),
                    List.of(PROTOBUF, VERTX, SLF4J),
                    "whoever talks to StoreSvr uses it, servers or not"),
            new Arrow(
                    "client",
                    List.of("proto", "core"),
                    List.of(PROTOBUF, VERTX, MICROMETER, "org.jctools.."),
                    "it lives in the processes of our users, who get all that it brings along"),
            new Arrow(
                    "storesvr",
                    List.of("proto", "core", "node"),
                    List.of(PROTOBUF, VERTX, MICROMETER, SLF4J, "org.apache.ratis..", "org.rocksdb.."),
                    "StoreSvr is the lowest tier: it is called and calls nobody but its peers"),
            new Arrow(
                    "allocsvr",
                    List.of("proto", "core", "node", "storeclient"),
                    List.of(PROTOBUF, VERTX, MICROMETER, SLF4J),
                    "AllocSvr calls StoreSvr alone"),
            new Arrow(
                    "router",
                    List.of("proto", "core", "node", "storeclient", "client"),
                    List.of(PROTOBUF, VERTX, MICROMETER, SLF4J),
                    "the router reaches the other tiers over the wire only"),
            new Arrow(
                    "chaos",
                    List.of("core", "proto", "client"),
                    List.of(PROTOBUF, VERTX, NETTY, HISTOGRAM),
                    "cli runs it, and what it breaks are processes that were started through ./seqsvr"),
            new Arrow(
                    "cli",
                    List.of(
                            "proto",
                            "core",
                            "node",
                            "storeclient",
                            "client",
                            "storesvr",
                            "allocsvr",
                            "router",
                            "chaos"),
                    List.of(VERTX, MICROMETER, "io.prometheus.metrics..", SLF4J, "picocli..", HISTOGRAM, LOGBACK),
                    "cli wires: it reads the command line and starts tiers, and does no tier's work"));

    /** The arrow of a module. */
    static Arrow of(String module) {
        return ALL.stream()
                .filter(arrow -> arrow.module.equals(module))
                .findFirst()
                .orElseThrow();
    }

    /** The package of the module. */
    String home() {
        return ROOT + module;
    }

    /** The rule of the module, for the classes of a package: the module's own or one that breaks it. */
    ArchRule ruleFor(String packageName) {
        var may = Stream.of(
                        Stream.of("java..", "org.jspecify..", packageName + ".."),
                        modules.stream().map(known -> ROOT + known + ".."),
                        libraries.stream())
                .flatMap(each -> each)
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(may)
                .because(because);
    }

    @Override
    public String toString() {
        return module;
    }
}
