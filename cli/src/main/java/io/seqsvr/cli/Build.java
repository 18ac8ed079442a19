package io.seqsvr.cli;

import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * What was built: so that people who run many processes can tell which of them are old.
 *
 * @param version of the program
 * @param commit first eight digits of the commit from which it was built; {@code unknown} where its sources were in no
 *     clone of the repository
 * @param changed whether sources differed from that commit
 */
record Build(String version, String commit, boolean changed) {
    /** This very program. */
    static Build current() {
        var properties = new Properties();
        try (var file = Build.class.getResourceAsStream("build.properties")) {
            if (file == null) {
                throw new IllegalStateException("build.properties is not beside " + Build.class.getName());
            }
            properties.load(file);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read build.properties", failed);
        }
        return new Build(
                properties.getProperty("version"),
                properties.getProperty("commit"),
                Boolean.parseBoolean(properties.getProperty("changed")));
    }

    /** The commit, with a plus behind it if sources differed from it. */
    String state() {
        return changed ? commit + "+" : commit;
    }

    /** A number that is always 1: what is told are its labels. A gauge of Micrometer's may not bear such a name. */
    void register(PrometheusRegistry registry) {
        Info.builder()
                .name("seqsvr_build_info")
                .help("What runs: always 1")
                .labelNames("version", "commit", "java")
                .register(registry)
                .setLabelValues(version, state(), Runtime.version().toString());
    }

    /** What {@code --version} prints. */
    static final class Line implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var build = current();
            return new String[] {"seqsvr " + build.version() + " (" + build.state() + ")"};
        }
    }
}
