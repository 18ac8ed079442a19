package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Measures how many sequences a cluster that runs hands out, and how soon. */
public final class AllocBench {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** How finely calls at a rate are let go. */
    private static final long BETWEEN_WAKES_NANOS = 100_000;

    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long calls may be under way when it is over. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Of a latency. */
    private static final int DIGITS = 3;

    private final AllocPlan plan;
    private final HostPort endpoint;
    private final List<Schedule> schedules = new ArrayList<>();
    private volatile double done;
    private volatile String soFar = "connecting";

    /**
     * A bench that calls nobody yet.
     *
     * @param plan without problems
     * @param endpoint who told the picture
     */
    public AllocBench(AllocPlan plan, HostPort endpoint) {
        this.plan = plan;
        this.endpoint = endpoint;
    }

    /** How far it is, from 0 to 1; any thread may ask. */
    public double progress() {
        return done;
    }

    /** What it does, and how fast that was in the last second. */
    public String soFar() {
        return soFar;
    }

    /**
     * Measures; blocks.
     *
     * @param picture who owns what; not looked at again
     * @throws NotMeasured if it does not have the namespace, or tell where all users are
     */
    public AllocFigures run(RoutePicture picture) throws NotMeasured {
        var namespace = picture.namespace(plan.namespace())
                .orElseThrow(() -> new NotMeasured("there is no namespace '" + plan.namespace() + "'"));
        if (!namespace.holds(plan.users() - 1)) {
            throw new NotMeasured("namespace '" + namespace.name() + "' has " + namespace.capacity()
                    + " users, fewer than " + plan.users());
        }
        var parts = plan.viaRouter() || plan.mode() == Mode.CLIENT
                ? Parts.atOne(endpoint, plan.users(), plan.connections())
                : Parts.atOwners(picture, namespace, plan.users(), plan.connections());
        var loads = loads(parts);
        try {
            loads.forEach(Load::start);
            return measure(loads);
        } finally {
            loads.forEach(Load::stop);
            loads.forEach(Load::close);
        }
    }

    private List<Load> loads(List<Parts.Part> parts) {
        var random = new SplittableRandom();
        var users = parts.stream()
                .map(part -> new Users(part.uids(), plan.skew(), plan.users(), random.split()))
                .toList();
        double weight = users.stream().mapToDouble(Users::weight).sum();
        long start = System.nanoTime();
        var client = plan.mode() == Mode.CLIENT ? client() : null;
        var loads = new ArrayList<Load>();
        for (int i = 0; i < parts.size(); i++) {
            var schedule = schedule(users.get(i).weight() / weight, start);
            schedules.add(schedule);
            if (client == null) {
                loads.add(load(parts.get(i).server(), users.get(i), schedule));
            } else {
                LongSupplier heldBack = i == 0 ? client::backward : () -> 0;
                loads.add(new ClientLoad(client, heldBack, users.get(i), schedule, plan.concurrency()));
            }
        }
        return loads;
    }

    /** Requests of one load, which has a share of the users' calls. */
    private Schedule schedule(double share, long start) {
        int callsOfRequest = plan.mode() == Mode.FRAMES ? plan.batch() : 1;
        return plan.rate() == 0
                ? Schedule.closed()
                : Schedule.every(NANOS_PER_SECOND * callsOfRequest / (plan.rate() * share), start);
    }

    private Load load(HostPort server, Users users, Schedule schedule) {
        return plan.mode() == Mode.UNARY
                ? new UnaryLoad(server, plan.namespace(), users, schedule, plan.concurrency())
                : new FrameLoad(
                        plan.namespace(),
                        users,
                        schedule,
                        plan.concurrency(),
                        plan.batch(),
                        new AllocateStream(server));
    }

    /** One for all threads, with the settings of every user but where the plan says otherwise. */
    private SequenceClient client() {
        var builder = SequenceClient.builder()
                .endpoint(endpoint.toString())
                .namespace(plan.namespace())
                .callsPerFrame(plan.batch());
        if (plan.viaRouter()) {
            builder.viaEndpoint();
        }
        return builder.build();
    }

    private AllocFigures measure(List<Load> loads) {
        var unused = run(loads, "warm-up", 0, plan.warmUpSeconds(), new Histogram(DIGITS));
        schedules.forEach(Schedule::beginAnew);
        loads.forEach(load -> load.tally().measure());
        var windows = new ArrayList<Window>();
        var all = new Histogram(DIGITS);
        for (int i = 0; i < plan.windows(); i++) {
            var micros = new Histogram(DIGITS);
            int before = plan.warmUpSeconds() + i * plan.seconds();
            var name = "window " + (i + 1) + " of " + plan.windows();
            windows.add(run(loads, name, before, plan.seconds(), micros));
            all.add(micros);
        }
        loads.forEach(Load::stop);
        awaitAnswers(loads);
        var failures = new TreeMap<String, Long>();
        long backward = 0;
        long duplicates = 0;
        for (var load : loads) {
            load.tally().errors().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
            backward += load.backward();
            duplicates += load.duplicates();
            if (load.underWay() > 0) {
                failures.merge("no answer", load.underWay(), Long::sum);
            }
        }
        if (windows.stream().anyMatch(window -> window.sequencesPerSecond() == 0)) {
            failures.merge("a window without a sequence", 1L, Long::sum);
        }
        return new AllocFigures(plan, windows, Percentile.of(all), failures, backward, duplicates);
    }

    /** Lets the loads run for some seconds, after so many others. */
    private Window run(List<Load> loads, String name, int secondsBefore, int seconds, Histogram micros) {
        soFar = name;
        loads.forEach(load -> load.tally().takeMicros());
        long before = requests(loads);
        long answered = 0;
        long start = System.nanoTime();
        long end = start + 1;
        for (int second = 1; second <= seconds; second++) {
            waitUntil(loads, start + second * NANOS_PER_SECOND);
            end = System.nanoTime();
            answered = requests(loads) - before;
            long earlier = micros.getTotalCount();
            loads.forEach(load -> micros.add(load.tally().takeMicros()));
            done = (double) (secondsBefore + second) / (plan.warmUpSeconds() + plan.windows() * plan.seconds());
            soFar = String.format(Locale.ROOT, "%s  %,d sequences/s", name, micros.getTotalCount() - earlier);
        }
        return Window.of(micros, answered, end - start);
    }

    private static long requests(List<Load> loads) {
        return loads.stream().mapToLong(load -> load.tally().requests()).sum();
    }

    private void waitUntil(List<Load> loads, long end) {
        long left = end - System.nanoTime();
        while (left > 0) {
            if (plan.rate() > 0) {
                loads.forEach(Load::wake);
                LockSupport.parkNanos(Math.min(left, BETWEEN_WAKES_NANOS));
            } else {
                LockSupport.parkNanos(left);
            }
            left = end - System.nanoTime();
        }
    }

    private static void awaitAnswers(List<Load> loads) {
        long start = System.nanoTime();
        while (loads.stream().anyMatch(load -> load.underWay() > 0) && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }
}
