package io.github.hedge4j.examples.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/** A {@link SoakServer} and what can be done to it. It keeps its port when it is restarted. For one thread. */
final class ServerProcess {

    private int port;
    private Process process;
    private PrintWriter commands;
    private BufferedReader answers;

    ServerProcess() throws IOException {
        process = start();
        commands = commands();
        answers = answers();
        port = Integer.parseInt(line());
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    /** How late it answers from now on. */
    void delay(int millis) {
        commands.println("delay " + millis);
    }

    long inFlight() throws IOException {
        commands.println("in-flight");
        return Long.parseLong(line());
    }

    /** It keeps its connections and even gets new ones, and does nothing. */
    void pause() throws Exception {
        signal("STOP");
    }

    void resume() throws Exception {
        signal("CONT");
    }

    /** Its connections are gone, and nobody listens. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() throws IOException {
        process = start();
        commands = commands();
        answers = answers();
        port = Integer.parseInt(line());
    }

    private Process start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        SoakServer.class.getName(),
                        String.valueOf(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private PrintWriter commands() {
        return new PrintWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8), true);
    }

    private BufferedReader answers() {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    private String line() throws IOException {
        return Objects.requireNonNull(answers.readLine(), "the server has ended");
    }

    private void signal(String name) throws Exception {
        int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + name + " ended with " + exit);
        }
    }

    /** Maven runs programs inside its own JVM, whose class path is not theirs. */
    private static String classPath() {
        if (ServerProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs()).map(ServerProcess::path).collect(joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    private static String path(URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
