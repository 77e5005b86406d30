package io.sealbook.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A service of the compose file as a plain process: its very command, with the image's paths replaced by those of this
 * machine.
 */
final class ContainerProcess implements AutoCloseable {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final int LOG_TAIL_LINES = 40;

    private final String service;
    private final Compose compose;
    private final Host host;
    private final Path log;
    private final Path healthLog;
    private Process process;

    /**
     * What takes the place of the containers' world: ports are moved, names become 127.0.0.1, the volume becomes a
     * directory.
     */
    record Host(Path volume, int basePort) {
        private static final int CONTAINER_BASE_PORT = 7100;

        int port(int containerPort) {
            return containerPort - CONTAINER_BASE_PORT + basePort;
        }

        /** Translates one word of a command. */
        String translate(String word, Dockerfile image) {
            String copied = image.copied().get(word);
            if (copied != null) {
                return Repository.ROOT.resolve(copied).toString();
            }
            if (word.matches("127\\.0\\.0\\.1:\\d+")) {
                return "127.0.0.1:" + port(Integer.parseInt(word.substring("127.0.0.1:".length())));
            }
            return word.replace("/cluster", volume.toString())
                    .replaceFirst("^--base-port=7100$", "--base-port=" + basePort)
                    .replaceFirst("^--host=node\\d$", "--host=127.0.0.1")
                    .replaceFirst("^--bind-address=0\\.0\\.0\\.0$", "--bind-address=127.0.0.1")
                    .replaceFirst("^java$", JAVA);
        }
    }

    ContainerProcess(String service, Compose compose, Host host) {
        this.service = service;
        this.compose = compose;
        this.host = host;
        this.log = host.volume().resolve(service + ".log");
        this.healthLog = host.volume().resolve(service + ".health.log");
    }

    /** Returns the image's entry point and the service's command, as words of this machine. */
    private List<String> words(List<String> entrypoint, List<String> command) {
        Dockerfile image = compose.dockerfile(service);
        List<String> words = new ArrayList<>();
        entrypoint.forEach(word -> words.add(host.translate(word, image)));
        command.forEach(word -> words.add(host.translate(word, image)));
        return words;
    }

    void start() throws IOException {
        process = start(words(compose.dockerfile(service).entrypoint(), compose.command(service)), log);
    }

    private Process start(List<String> words, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        Object environment = compose.service(service).get("environment");
        if (environment != null) {
            for (Map.Entry<String, Object> variable : Compose.map(environment).entrySet()) {
                builder.environment().put(variable.getKey(), String.valueOf(variable.getValue()));
            }
        }
        return builder.start();
    }

    /** Waits for a service that ends by itself and returns its exit code. */
    int await(long seconds) throws InterruptedException {
        if (!awaitEnd(seconds)) {
            throw new AssertionError(service + " has not ended after " + seconds + " s\n" + logTail());
        }
        return process.exitValue();
    }

    /** Runs the health check once and returns its exit code. */
    int health(long seconds) throws IOException, InterruptedException {
        Process check = start(
                words(List.of(), compose.healthCommand(service)), host.volume().resolve(service + ".health.log"));
        if (!check.waitFor(seconds, TimeUnit.SECONDS)) {
            check.destroyForcibly();
            return -1;
        }
        return check.exitValue();
    }

    void checkRuns() {
        if (!process.isAlive()) {
            throw new AssertionError(service + " ended with exit code " + process.exitValue() + "\n" + logTail());
        }
    }

    /** Asks it to end, with SIGTERM as the container engine does. */
    void terminate() {
        process.destroy();
    }

    /** Returns whether it has ended before the time is over. */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    String name() {
        return service;
    }

    String logTail() {
        return tail(log);
    }

    String healthLogTail() {
        return tail(healthLog);
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
