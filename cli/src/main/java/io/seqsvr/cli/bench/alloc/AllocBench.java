package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures how many sequences a cluster that runs hands out, and how soon. */
public final class AllocBench {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AllocPlan plan;
    private final HostPort endpoint;
    private final List<Schedule> schedules = new ArrayList<>();
    private final Measurement measurement;

    /**
     * A bench that calls nobody yet.
     *
     * @param plan without problems
     * @param endpoint who told the picture
     */
    public AllocBench(AllocPlan plan, HostPort endpoint) {
        this.plan = plan;
        this.endpoint = endpoint;
        this.measurement = new Measurement(plan, BenchTime.REAL);
    }

    /** How far it is, from 0 to 1; any thread may ask. */
    public double progress() {
        return measurement.progress();
    }

    /** What it does, and how fast that was in the last second. */
    public String soFar() {
        return measurement.soFar();
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
            return measurement.of(loads, schedules);
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
                loads.add(new ClientLoad(
                        ClientLoad.Caller.of(client), heldBack, users.get(i), schedule, plan.concurrency()));
            }
        }
        return loads;
    }

    /** Requests of one load, which has a share of the users' calls. */
    private Schedule schedule(double share, long start) {
        return plan.rate() == 0
                ? Schedule.closed()
                : Schedule.every(NANOS_PER_SECOND * plan.callsOfRequest() / (plan.rate() * share), start);
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
}
