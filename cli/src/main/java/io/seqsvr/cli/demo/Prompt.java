package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Does what lines of text say, one after the other. */
final class Prompt {
    private static final Duration TAKES_EFFECT_WITHIN = Duration.ofSeconds(30);
    private static final Duration WELL_WITHIN = Duration.ofMinutes(2);

    private static final String HELP = String.join(
            System.lineSeparator(),
            "  kill NODE      SIGKILL              restart NODE   start it again, or SIGTERM and start",
            "  pause NODE     SIGSTOP              resume NODE    SIGCONT",
            "  drain NODE     an AllocSvr hands over what it owns; restart brings it back",
            "  wait           until every user is answered and every started node serves",
            "  nodes          who runs, where      report         what users saw so far",
            "  help           this                 quit           the last report; all is stopped and removed");

    private final WatchedCluster cluster;
    private final News news;
    private final Consumer<String> tell;

    Prompt(WatchedCluster cluster, News news, Consumer<String> tell) {
        this.cluster = cluster;
        this.news = news;
        this.tell = tell;
    }

    /** What there is, and what can be done with it. */
    void welcome() {
        tell.accept(String.format(Locale.ROOT, "ready after %.1f s", cluster.readySeconds()));
        tell.accept("");
        tell.accept(nodes());
        tell.accept("");
        tell.accept(
                cluster.load().users() + " users ask, through the routers and at the owners; every answer is checked.");
        tell.accept("");
        var door = cluster.nodes().of(Tier.ROUTER).get(0).endpoint();
        var endpoint = door.port() == 7700 ? "" : " --endpoint " + door;
        var store = cluster.nodes().endpoints(Tier.STORESVR).stream()
                .map(Object::toString)
                .collect(Collectors.joining(","));
        tell.accept("In another terminal:");
        tell.accept("  ./seqsvr next 7" + endpoint);
        tell.accept("  ./seqsvr watch" + endpoint);
        tell.accept("  ./seqsvr status --store " + store);
        tell.accept("");
        tell.accept("Here, line by line (try kill alloc-1):");
        tell.accept(HELP);
    }

    /** Does what a line says; false if it is to quit. */
    boolean obey(String line) {
        var words = List.of(line.strip().split("\\s+", -1));
        var verb = words.get(0).toLowerCase(Locale.ROOT);
        try {
            switch (verb) {
                case "" -> {}
                case "quit", "exit" -> {
                    return false;
                }
                case "help" -> tell.accept(HELP);
                case "nodes" -> tell.accept(nodes());
                case "report" -> tell.accept(cluster.report().text());
                case "wait" -> await();
                case "kill", "pause", "drain" -> begin(FaultKind.valueOf(verb.toUpperCase(Locale.ROOT)), node(words));
                case "resume" -> resume(node(words));
                case "restart" -> restart(node(words));
                default ->
                    tell.accept("'" + line.strip() + "' is no command; there are:" + System.lineSeparator() + HELP);
            }
        } catch (NodeFailure impossible) {
            tell.accept(String.valueOf(impossible.getMessage()));
        }
        return true;
    }

    private LocalNode node(List<String> words) {
        if (words.size() != 2) {
            throw new NodeFailure("'" + words.get(0) + "' takes the name of one node; 'nodes' lists them");
        }
        return cluster.nodes()
                .node(words.get(1))
                .orElseThrow(() -> new NodeFailure("there is no node '" + words.get(1) + "'; 'nodes' lists them"));
    }

    private void await() {
        if (!Waiting.REAL.until(news::isAllWell, WELL_WITHIN)) {
            tell.accept("not all is well after " + WELL_WITHIN.toSeconds() + " s: 'nodes' shows what is missing");
        }
    }

    private void begin(FaultKind kind, LocalNode node) {
        if (!node.isAlive()) {
            throw new NodeFailure(node.name() + " does not run; 'restart " + node.name() + "' starts it");
        }
        if (kind == FaultKind.DRAIN || kind == FaultKind.PAUSE) {
            cluster.fault(node).ifPresent(name -> {
                throw new NodeFailure("'" + name + "' is at work there; end it first");
            });
        }
        var fault = cluster.fault(kind, node);
        long since = System.nanoTime();
        cluster.begin(node, fault);
        if (!Waiting.REAL.until(fault::isInEffect, TAKES_EFFECT_WITHIN)) {
            tell.accept(fault.name() + " shows no effect after " + TAKES_EFFECT_WITHIN.toSeconds() + " s");
            return;
        }
        tell.accept(String.format(
                Locale.ROOT, "%s: in effect after %.1f s", fault.name(), (System.nanoTime() - since) / 1e9));
        news.faultBegan(fault.name(), since);
    }

    private void resume(LocalNode node) {
        if (!isAtWork(FaultKind.PAUSE, node)) {
            throw new NodeFailure(node.name() + " is not paused");
        }
        cluster.end(node);
        tell.accept(node.name() + " goes on");
        news.faultBegan("resume " + node.name(), System.nanoTime());
    }

    /** Nothing is done to the node, and there is nothing to wait for; stopping the fault starts it again. */
    private record EndedByItself(LocalNode node) implements Fault {
        @Override
        public String name() {
            return "restart " + node.name();
        }

        @Override
        public void start() {
            // It is gone already.
        }

        @Override
        public boolean isInEffect() {
            return !node.isAlive();
        }

        @Override
        public void stop() {
            node.start();
        }
    }

    private boolean isAtWork(FaultKind kind, LocalNode node) {
        return cluster.fault(node).filter(name -> name.startsWith(kind.verb())).isPresent();
    }

    private void restart(LocalNode node) {
        long since = System.nanoTime();
        if (!node.isAlive() && !isAtWork(FaultKind.KILL, node)) {
            // It takes the place of what was at work there, which cannot be undone any more.
            cluster.begin(node, new EndedByItself(node));
            news.faultBegan("restart " + node.name(), since);
        } else if (isAtWork(FaultKind.PAUSE, node)) {
            // A process that stands still does not hear that it is to stop.
            cluster.end(node);
        }
        if (cluster.fault(node).isEmpty()) {
            cluster.begin(node, cluster.fault(FaultKind.RESTART, node));
            news.faultBegan("restart " + node.name(), since);
        }
        cluster.end(node);
        tell.accept(node.name() + " starts, as process " + node.pid());
        news.nodeStarts(node, since);
    }

    private String nodes() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(String.format(Locale.ROOT, "%-10s %8s  %-18s %s", "NODE", "PID", "ADDRESS", "STATE"));
        for (var node : cluster.nodes().all()) {
            lines.add(String.format(
                    Locale.ROOT, "%-10s %8d  %-18s %s", node.name(), node.pid(), node.endpoint(), state(node)));
        }
        return lines.toString();
    }

    private String state(LocalNode node) {
        var fault = cluster.fault(node).map(name -> " (" + name + ")").orElse("");
        if (!node.isAlive()) {
            return "gone" + fault;
        }
        var owned = node.tier() == Tier.ALLOCSVR
                ? cluster.load()
                        .routes()
                        .map(routes -> ", owns " + segments(routes, node) + " segments")
                        .orElse("")
                : "";
        return "runs" + owned + fault;
    }

    private static long segments(RoutePicture routes, LocalNode node) {
        return routes.owners().stream()
                .filter(owner -> owner.name().equals(node.name()))
                .flatMap(owner -> routes.routes().ranges().stream().filter(range -> range.owner() == owner.session()))
                .mapToLong(RouteRange::size)
                .sum();
    }
}
