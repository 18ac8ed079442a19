package io.seqsvr.chaos.live;

import io.seqsvr.chaos.caller.CallerProgram;
import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.process.Endpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Users for whom applications ask that harm is done to ({@link io.seqsvr.chaos.caller.CallerProgram}). What they are
 * answered is judged like all that is answered, however late it comes; how long they wait is their own affair, until
 * the harm is undone.
 */
final class CallerUsers implements AutoCloseable {
    /** Longer than any of them stands still. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int OK = 200;
    private static final int REFUSED = 503;
    /** First, last and epoch. */
    private static final Pattern RANGE = Pattern.compile("(\\d{1,19}) (\\d{1,19}) (\\d{1,19})");

    private final List<Endpoint> callers;
    private final Recorder record;
    private final Judgement judgement;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTS_WITHIN)
            .build();
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "caller-users");
        thread.setDaemon(true);
        return thread;
    });
    /** For each application, by {@link System#nanoTime}: when the newest call began that was answered. */
    private final AtomicLongArray answeredFrom;

    /** Of which applications it was told that their clients held something back. */
    private final Set<Integer> told = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;

    /** What an application says that none may say. */
    @FunctionalInterface
    interface Judgement {
        /** A promise was broken. */
        void violated(String rule, String words);
    }

    /**
     * Users of whom nobody has asked.
     *
     * @param callers where the applications are told what to ask
     * @param record is told of every call
     */
    CallerUsers(List<Endpoint> callers, Recorder record, Judgement judgement) {
        this.callers = List.copyOf(callers);
        this.record = record;
        this.judgement = judgement;
        long never = System.nanoTime() - Long.MAX_VALUE / 2;
        this.answeredFrom =
                new AtomicLongArray(callers.stream().mapToLong(caller -> never).toArray());
    }

    /** Begins to ask for these users, who take turns at the applications; for nobody where there are none. */
    void start(List<Long> uids) {
        if (!callers.isEmpty()) {
            IntStream.range(0, uids.size()).forEach(i -> new Asking(uids.get(i), i % callers.size()).call());
        }
    }

    /** Whether each application was answered a call that began then or later. */
    boolean areServedSince(long nanos) {
        return IntStream.range(0, answeredFrom.length()).allMatch(caller -> answeredFrom.get(caller) - nanos >= 0);
    }

    private final class Asking {
        private final long uid;
        private final int caller;
        private final HttpRequest request;

        private Asking(long uid, int caller) {
            this.uid = uid;
            this.caller = caller;
            this.request = HttpRequest.newBuilder(URI.create("http://" + callers.get(caller) + "/next?uid=" + uid))
                    .timeout(PATIENCE)
                    .POST(BodyPublishers.noBody())
                    .build();
        }

        private void call() {
            if (stopping) {
                return;
            }
            long begun = System.nanoTime();
            var call = record.invoke(uid);
            call.takesAtMost(1);
            var unused = http.sendAsync(request, BodyHandlers.ofString())
                    // The time of the request is over when headers have come.
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .handle((answer, failure) -> {
                        end(begun, call, answer, failure);
                        return uid;
                    });
        }

        private void end(
                long begun, Recorder.Call call, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
            if (stopping) {
                return;
            }
            if (answer != null) {
                answer.headers().firstValueAsLong(CallerProgram.BACKWARD).ifPresent(this::heldBack);
            }
            if (answer != null && answer.statusCode() == OK) {
                answered(begun, call, answer.body());
            } else {
                var said = answer == null ? String.valueOf(failure) : answer.body();
                call.unknown("by an application: " + said);
                if (answer != null && answer.statusCode() != REFUSED) {
                    judgement.violated("TYPED_FAILURE", "the Java client failed otherwise than it says: " + said);
                }
            }
            try {
                var unused = pauses.schedule(this::call, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                stopping = true;
            }
        }

        /** What the client does not give out would not be judged otherwise. */
        private void heldBack(long answers) {
            if (answers > 0 && told.add(caller)) {
                judgement.violated(
                        "ORDERED",
                        "the Java client of an application held back " + answers + " answers that step back");
            }
        }

        private void answered(long begun, Recorder.Call call, String range) {
            var numbers = RANGE.matcher(range);
            if (!numbers.matches()) {
                call.unknown("by an application: " + range);
                judgement.violated("SENSE", "a reply made no sense: " + range);
                return;
            }
            try {
                call.returned(number(numbers, 1), number(numbers, 2), number(numbers, 3));
                answeredFrom.accumulateAndGet(caller, begun, (known, heard) -> heard - known > 0 ? heard : known);
            } catch (IllegalArgumentException noRange) {
                judgement.violated("SENSE", "a reply made no sense: " + noRange.getMessage());
            }
        }

        private static long number(Matcher numbers, int which) {
            return Long.parseLong(numbers.group(which));
        }
    }

    /** Asks no more. */
    @Override
    public void close() {
        stopping = true;
        pauses.shutdownNow();
    }
}
