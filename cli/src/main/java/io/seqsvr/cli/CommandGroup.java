package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that does nothing but stand above others. Those are not named in its annotation: the library would prepare
 * all of them each time, which costs a start more than all else that it does before it has read its arguments.
 */
abstract class CommandGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** What stands below it, in the order in which help tells it. */
    abstract List<Class<?>> commands();

    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /**
     * The group with the command that comes first among these arguments; with all if none does, or the one that tells
     * of all.
     */
    final CommandLine line(List<String> arguments) {
        var line = new CommandLine(this);
        var first = arguments.isEmpty() ? "" : arguments.get(0);
        for (var type : commands()) {
            if (type != HelpCommand.class && nameOf(type).equals(first)) {
                return line.addSubcommand(below(type, arguments.subList(1, arguments.size())));
            }
        }
        commands().forEach(type -> line.addSubcommand(below(type, List.of())));
        return line;
    }

    private static String nameOf(Class<?> type) {
        return type.getAnnotation(Command.class).name();
    }

    private static CommandLine below(Class<?> type, List<String> arguments) {
        var command = create(type);
        return command instanceof CommandGroup group ? group.line(arguments) : new CommandLine(command);
    }

    private static Object create(Class<?> type) {
        try {
            return CommandLine.defaultFactory().create(type);
        } catch (Exception defect) {
            throw new IllegalStateException("no " + type.getSimpleName() + " can be made", defect);
        }
    }
}
