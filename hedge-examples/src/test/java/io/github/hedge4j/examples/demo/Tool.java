package io.github.hedge4j.examples.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program of the machine, which may not have it. */
record Tool(Path file) {

    private static final long PATIENCE_SECONDS = 120;

    record Result(int exitCode, String output) {}

    static Optional<Tool> named(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Tool::new);
    }

    /** Runs it on the input to its end. */
    Result run(String input, String... args) throws IOException, InterruptedException {
        Path in = Files.createTempFile("tool", ".in");
        Path out = Files.createTempFile("tool", ".out");
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectInput(Files.writeString(in, input).toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(file + " did not end");
            }
            return new Result(process.exitValue(), new String(Files.readAllBytes(out), StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
            Files.delete(in);
            Files.delete(out);
        }
    }
}
