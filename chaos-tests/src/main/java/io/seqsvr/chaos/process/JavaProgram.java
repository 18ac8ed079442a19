package io.seqsvr.chaos.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that runs here, to be started again as another process: on the same Java, with the same class path and
 * the same options of that Java, so that nothing is built or looked for.
 *
 * @param mainClass where it begins
 */
public record JavaProgram(String mainClass) {
    /** A debugger's port serves one process. */
    private static final String DEBUGGER = "-agentlib:jdwp";

    ProcessBuilder command(List<String> arguments) {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith(DEBUGGER))
                .forEach(line::add);
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add(mainClass);
        line.addAll(arguments);
        return new ProcessBuilder(line);
    }
}
