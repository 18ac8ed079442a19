package io.seqsvr.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which nodes a cluster on this machine has, and where. */
final class NodesOptions {
    @Option(
            names = "--store",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many StoreSvr peers, from 1 to 9 (default: ${DEFAULT-VALUE}).")
    private int stores = 3;

    @Option(
            names = "--alloc",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many AllocSvr, from 1 to 9 (default: ${DEFAULT-VALUE}).")
    private int allocators = 3;

    @Option(
            names = "--router",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many routers, from 1 to 9 (default: ${DEFAULT-VALUE}).")
    private int routers = 2;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = TimeConverter.class,
            description = "Time to live of leases, from 700ms to 1m: a dead owner's users wait for it, and a tenth more"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration ttl = Duration.ofSeconds(3);

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the cluster's directory is made; it is removed in the end (default: that for temporary"
                    + " files).")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    int stores() {
        return stores;
    }

    int allocators() {
        return allocators;
    }

    int routers() {
        return routers;
    }

    Duration ttl() {
        return ttl;
    }

    Path parent() {
        return parent;
    }

    /** Why a cluster cannot have such leases, or cannot be there: a line each that begins with the option. */
    List<String> problems() {
        var problems = new ArrayList<String>();
        if (ttl.toMillis() < 700) {
            problems.add("--ttl is " + ttl.toMillis() + "ms; it must be from 700ms to 1m");
        }
        if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
            problems.add("--dir is " + parent + "; it must be a directory that can be written");
        }
        return problems;
    }
}
