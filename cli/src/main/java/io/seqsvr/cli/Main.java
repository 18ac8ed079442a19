package io.seqsvr.cli;

import io.seqsvr.client.SequenceException;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storesvr.backup.BackupException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.logging.LogManager;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads the command line and turns every failure into one clear line and an exit code. */
public final class Main {
    /** At the endpoint, before it has told who owns what; an owner that is gone is another matter. */
    private static final Pattern NOBODY_LISTENS = Pattern.compile("no picture of the cluster: .*Connection refused");

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // One stream of logs: what libraries write to java.util.logging goes the same way.
        LogManager.getLogManager().reset();
        SLF4JBridgeHandler.install();
        System.exit(commandLine(arguments).execute(arguments));
    }

    /** What reads these arguments, and writes to stdout itself: the stream that Java has for that hides what fails. */
    static CommandLine commandLine(String... arguments) {
        return new SeqsvrCommand()
                .line(List.of(arguments))
                .setOut(new PrintWriter(new FileOutputStream(FileDescriptor.out), true, Charset.defaultCharset()))
                .setExecutionStrategy(Main::run)
                .setExecutionExceptionHandler(Main::failed)
                .setParameterExceptionHandler(Main::misused)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** For {@link IExecutionStrategy}: nobody has a result that could not be written, so the command has failed. */
    private static int run(ParseResult parsed) {
        int exitCode = new RunLast().execute(parsed);
        var ran = parsed;
        while (ran.hasSubcommand()) {
            ran = ran.subcommand();
        }
        // Somebody watches for as long as they read.
        if (exitCode != ExitCode.OK || ran.commandSpec().userObject() instanceof WatchCommand) {
            return exitCode;
        }
        var command = ran.commandSpec().commandLine();
        if (!command.getOut().checkError()) {
            return exitCode;
        }
        command.getErr()
                .println("seqsvr: the result could not be written: the disk behind stdout is full, or its reader is"
                        + " gone; what the command had to do is done");
        return ExitCode.FAILED;
    }

    /** For {@link IExecutionExceptionHandler}. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        var err = command.getErr();
        if (failure instanceof SettingsException settings) {
            settings.problems().forEach(problem -> err.println("seqsvr: " + settings.source() + ": " + problem));
            return ExitCode.FAILED;
        }
        if (failure instanceof StartupException || failure instanceof BackupException) {
            err.println("seqsvr: " + failure.getMessage());
            return ExitCode.FAILED;
        }
        if (failure instanceof StoreFailure store) {
            err.println("seqsvr: " + store.getMessage());
            return store.exitCode();
        }
        if (failure instanceof SequenceException refused) {
            var sentence = sentence(refused);
            err.println("seqsvr: " + sentence
                    + (NOBODY_LISTENS.matcher(sentence).find()
                            ? "; start a server with './seqsvr dev' or name another with --endpoint"
                            : ""));
            return exitCode(refused);
        }
        LoggerFactory.getLogger(Main.class).error("event=defect error=\"{}\"", failure.getMessage(), failure);
        err.println("seqsvr: a defect of seqsvr: " + failure.getMessage());
        return ExitCode.FAILED;
    }

    /** Why a call delivered nothing: the reason, by which the documents go, and what happened. */
    static String sentence(SequenceException refused) {
        return refused.reason() + ": " + refused.getMessage();
    }

    /** What the process says when a call of it ended like this. */
    static int exitCode(SequenceException refused) {
        return switch (refused.kind()) {
            case INVALID, EXHAUSTED -> ExitCode.FAILED;
            case UNAVAILABLE, UNKNOWN_OUTCOME -> ExitCode.UNAVAILABLE;
        };
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        var command = misuse.getCommandLine();
        command.getErr().println("seqsvr: " + misuse.getMessage());
        UnmatchedArgumentException.printSuggestions(misuse, command.getErr());
        command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }
}
