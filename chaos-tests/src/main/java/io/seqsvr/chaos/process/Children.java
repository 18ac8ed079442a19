package io.seqsvr.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes that this JVM started: none of them outlives it, even where nobody closes them. */
final class Children {
    private static final Duration KILL_TAKES_AT_MOST = Duration.ofSeconds(10);
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Children::signalKill), "kill-children"));
    }

    private Children() {}

    static Process start(ProcessBuilder command) {
        var process = startAtTheEnd(command);
        ALIVE.add(process);
        var unused = process.onExit().thenRun(() -> ALIVE.remove(process));
        return process;
    }

    /** The same for what undoes something while this JVM ends: all others are killed then, at any moment. */
    static Process startAtTheEnd(ProcessBuilder command) {
        try {
            return command.start();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + String.join(" ", command.command()), failed);
        }
    }

    /** SIGKILL to the process and to what it started; returns when it is gone. */
    static void kill(Process process) {
        signalKill(process);
        if (!hasExited(process, KILL_TAKES_AT_MOST)) {
            throw new IllegalStateException(
                    "process " + process.pid() + " still runs " + KILL_TAKES_AT_MOST + " after SIGKILL");
        }
    }

    static boolean hasExited(Process process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillRuns) {
            return false;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("cannot wait for process " + process.pid(), failed);
        } catch (InterruptedException interrupted) {
            throw Interruption.of("the end of process " + process.pid());
        }
    }

    private static void signalKill(Process process) {
        // Once the parent is gone, its children are nobody's descendants.
        var descendants = process.descendants().toList();
        // Not the process itself, which would close its streams under whoever still reads its last words.
        process.toHandle().destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
