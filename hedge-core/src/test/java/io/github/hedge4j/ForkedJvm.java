package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, for what shows only in a small heap or at a JVM's exit. */
final class ForkedJvm {

    private ForkedJvm() {}

    /** What this class's main method prints. It must exit with 0, and by itself. */
    static String run(Class<?> main, String... options) {
        return runOn(System.getProperty("java.class.path"), main, options);
    }

    /** The same, with this class path. */
    static String runOn(String classPath, Class<?> main, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, main.getName()));
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("exited").isTrue();
                assertThat(process.exitValue()).as(output).isZero();
                return output;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new AssertionError("cannot start " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
