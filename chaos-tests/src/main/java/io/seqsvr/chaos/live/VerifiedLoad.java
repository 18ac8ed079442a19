package io.seqsvr.chaos.live;

import io.seqsvr.chaos.process.Closings;
import io.seqsvr.chaos.process.Doors;
import io.seqsvr.chaos.process.Load;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.picture.RoutePicture;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A light load on a cluster, every answer of which is checked. Each user asks twice at a time: through the
 * routers in turn, giving up soon, and at its owner, patiently, so that what a frozen owner says when it wakes is heard
 * too. Now and then it asks its former owner besides, and routers for the sake of what they say late. A few other users
 * ask by the Java client, and thousands of them by and by, many to a call. For some users applications ask besides,
 * where there are any.
 */
public final class VerifiedLoad implements AutoCloseable {
    private static final Duration GIVES_UP_AFTER = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(100);
    private static final Duration BETWEEN_LATE_CALLS = Duration.ofMillis(500);
    /**
     * Short, so that one who stands still is asked again and again: an old number shows only in a call that began after
     * others had been given out.
     */
    private static final Duration LATE_PATIENCE = Duration.ofSeconds(1);
    /** Of so many calls at an owner, one goes to the former one. */
    private static final long FORMER_EVERY = 4;
    /** Of so many calls, one asks for the last sequence; odd, so that former owners are asked for it too. */
    private static final int READS_EVERY = 5;

    /** Of so many calls, one lifts its user. */
    private static final int LIFTS_EVERY = 37;

    /** How many users ask by the Java client. */
    public static final int CLIENT_USERS = 4;

    /** For how many users, besides all others, applications ask too, where there are any. */
    private static final int CALLER_USERS = 8;

    private static final int SAMPLED_USERS = 3;
    /** By which JIT compilers and connections have the worst behind them. */
    private static final long WARM_AFTER = 10;

    private final List<Long> asking;
    private final LiveRecord record;
    private final BystanderCalls bystanders;
    private final RoutesWatch watch;
    private final Owners owners;
    private final Load throughRouters;
    private final List<Load> loads;
    /**
     * Hear what comes late: from former owners, so that one that stands still is asked for what others have given
     * since, and from routers.
     */
    private final List<Load> late;

    private final WokenCalls woken;
    private final ClientUsers clientUsers;
    private final CallerUsers callerUsers;
    private final CrowdLoad crowd;
    private final int users;
    private final Heartbeat heart = new Heartbeat(System::nanoTime);
    private final ScheduledExecutorService beats = heart.start();

    private VerifiedLoad(Target target, int users, FaultLog faults) {
        this.users = users;
        var namespace = target.namespace();
        int besides = CLIENT_USERS + (target.callers().isEmpty() ? 0 : CALLER_USERS);
        long apart = target.capacity() / (users + besides);
        var uids =
                LongStream.range(0, users + besides).map(i -> i * apart).boxed().toList();
        var ofClient = spread(uids, CLIENT_USERS);
        var others = without(uids, ofClient);
        var ofCallers = spread(others, besides - CLIENT_USERS);
        this.asking = without(others, ofCallers);
        faults.heedPauses(heart::pausedNanos);
        this.record = new LiveRecord(
                faults,
                System::nanoTime,
                asking.stream().limit(SAMPLED_USERS).collect(Collectors.toSet()),
                // What an application takes that dies nobody gets.
                uid -> target.alone() && !ofCallers.contains(uid));
        this.bystanders = new BystanderCalls(record.throughRouters(), System::nanoTime);
        var routers = target.routers();
        this.watch = new RoutesWatch(
                Stream.concat(routers.stream(), target.allocators().values().stream())
                        .map(Object::toString)
                        .toList(),
                picture -> {},
                new SplittableRandom());
        watch.start();
        this.owners = new Owners(namespace, watch::picture);
        Map<Long, Integer> once = others.stream().collect(Collectors.toMap(Function.identity(), uid -> 1));
        // Somebody else's namespace may forbid it.
        int lifts = target.alone() ? LIFTS_EVERY : 0;
        this.throughRouters = Load.start(
                bystanders,
                Doors.inTurn(routers),
                LoadPlan.untilStopped(namespace, once, 1, GIVES_UP_AFTER)
                        .withPause(BETWEEN_CALLS)
                        .withReads(READS_EVERY)
                        .withLifts(lifts),
                record::nonsense);
        var now = new OwnerDoors(target.allocators(), owners, FORMER_EVERY);
        this.loads = List.of(
                throughRouters,
                Load.start(
                        record.atOwners(GivesUp.NOBODY, now::isFormer),
                        now,
                        LoadPlan.untilStopped(namespace, once, 1, PATIENCE)
                                .withPatience()
                                .withPause(BETWEEN_CALLS)
                                .withReads(READS_EVERY)
                                .withLifts(lifts),
                        record::nonsense));
        var before = new OwnerDoors(target.allocators(), owners, 1);
        this.woken = new WokenCalls(record.atOwners(GivesUp.CALLER, before::isFormer), System::nanoTime);
        this.late = List.of(
                Load.start(
                        woken,
                        before,
                        LoadPlan.untilStopped(namespace, once, 1, LATE_PATIENCE)
                                .withPatience()
                                .withPause(BETWEEN_LATE_CALLS),
                        record::nonsense),
                Load.start(
                        record.late(GivesUp.ROUTER),
                        Doors.inTurn(routers),
                        LoadPlan.untilStopped(namespace, once, 1, PATIENCE)
                                .withPatience()
                                .withPause(BETWEEN_LATE_CALLS),
                        record::nonsense));
        this.clientUsers = new ClientUsers(namespace, routers, record);
        clientUsers.start(ofClient);
        this.callerUsers = new CallerUsers(target.callers(), record.late(GivesUp.APPLICATION), record::violated);
        callerUsers.start(ofCallers);
        // Between those that ask one by one, of whom none is asked for here.
        this.crowd = CrowdLoad.start(target, CrowdLoad.between(uids, apart), record);
    }

    /** Spread among the others, so that every allocator has some. */
    private static List<Long> spread(List<Long> among, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> among.get(i * among.size() / count))
                .toList();
    }

    private static List<Long> without(List<Long> uids, List<Long> some) {
        return uids.stream().filter(uid -> !some.contains(uid)).toList();
    }

    /**
     * Begins to ask.
     *
     * @param users how many ask besides those of the Java client
     * @param faults what explains what they see
     */
    public static VerifiedLoad start(Target target, int users, FaultLog faults) {
        return new VerifiedLoad(target, users, faults);
    }

    /**
     * Waits until every user was answered a few times; how long users wait counts from then on.
     *
     * @throws IllegalStateException if they are not in time, or a reply made no sense
     */
    public void warmUp(Duration within) {
        loads.forEach(load -> load.awaitAnswers(WARM_AFTER * users, WARM_AFTER, within));
        forgetWarmUp();
    }

    /** Whether half of the calls were answered at once in each of the last seconds. */
    public boolean isQuick() {
        return record.isQuick();
    }

    /** How long users wait counts from now on. */
    public void forgetWarmUp() {
        record.forgetSilences();
        clientUsers.forgetLongest();
    }

    /** Whether each router has given numbers to a call that began at or after this {@link System#nanoTime}. */
    public boolean everyRouterAnsweredSince(long nanos) {
        return throughRouters.everyDoorAnsweredSince(nanos);
    }

    /**
     * Whether calls for many users that began at or after this moment gave each segment numbers, and one of each kind
     * everybody it was for.
     */
    public boolean crowdIsServedSince(long nanos) {
        return crowd.isServedSince(nanos);
    }

    /** Whether each application was answered a call that began at or after this moment. */
    public boolean everyCallerIsServedSince(long nanos) {
        return callerUsers.areServedSince(nanos);
    }

    /** Whether a call for one of these waits at the AllocSvr there, and would go on to wait for a while. */
    public boolean somebodyWaits(String door, Collection<Long> uids) {
        return woken.somebodyWaits(door, uids);
    }

    /** How many calls for these waited at this moment at the AllocSvr there, and were then answered or refused. */
    public long wokenAt(long nanos, String door, Collection<Long> uids) {
        return woken.across(nanos, door, uids);
    }

    /** How many users ask, besides those of the Java client. */
    public int users() {
        return users;
    }

    /** Who asks one by one through the routers, and owners directly. */
    public List<Long> asking() {
        return asking;
    }

    /** For how much of this span whoever asks stood still by itself: what is seen then says nothing of the cluster. */
    public long pausedNanos(long fromNanos, long toNanos) {
        return heart.pausedNanos(fromNanos, toNanos);
    }

    /** What was recorded. */
    public LiveRecord record() {
        return record;
    }

    /** Who owns what, by the newest picture. */
    public Optional<RoutePicture> routes() {
        return watch.picture();
    }

    /** Whoever tells the routes may have fallen silent: another server is asked. */
    public void lookElsewhere() {
        watch.elsewhere();
    }

    /** What was seen so far. */
    public Findings findings() {
        return record.findings();
    }

    /**
     * From now on the calls through routers count that none of these has to do with: for users whom none of them owns,
     * by the newest picture, and through others than these.
     *
     * @param struck addresses of routers, and those under which the routes name AllocSvrs
     */
    public BystanderCalls.Watch watchCallsWithout(Collection<String> struck) {
        var untouched = asking.stream()
                .filter(uid -> owners.addressOf(uid)
                        .filter(owner -> !struck.contains(owner))
                        .isPresent())
                .toList();
        return bystanders.watch(untouched, struck);
    }

    /**
     * Whom they own by the newest picture.
     *
     * @param struck addresses under which the routes name AllocSvrs
     */
    public List<Long> usersOf(Collection<String> struck) {
        return asking.stream()
                .filter(uid -> owners.addressOf(uid).filter(struck::contains).isPresent())
                .toList();
    }

    /** Whether each AllocSvr has its share, and each segment an owner, by the newest picture. */
    public boolean everyOwnerHasItsShare() {
        return owners.haveTheirShares();
    }

    /** From now on nobody's calls count so. */
    public BystanderCalls.Watch watchNobody() {
        return bystanders.watch(List.of(), List.of());
    }

    /** What an application with the Java client saw so far. */
    public ClientFindings clientFindings() {
        return clientUsers.findings();
    }

    /** How often calls of the load were refused or without an answer, by what was said. */
    public Map<String, Long> failures() {
        return loads.stream()
                .flatMap(load -> load.failures().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }

    /** Asks no more; nothing of what is under way counts. */
    @Override
    public void close() {
        record.freeze();
        Closings.all(Stream.concat(
                Stream.concat(loads.stream(), late.stream()).map(load -> load::breakOff),
                Stream.of(clientUsers::close, callerUsers::close, crowd::close, watch::close, beats::shutdownNow)));
    }
}
