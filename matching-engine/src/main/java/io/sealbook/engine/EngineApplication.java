package io.sealbook.engine;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.handoff.LogFormat;
import io.sealbook.spring.engine.EngineRestart;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.vocabulary.ProductVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The matching engine of one consensus node.
 *
 * <pre>
 *   java -jar matching-engine.jar start DIR/node0 [--setting=value ...]
 * </pre>
 */
@SpringBootApplication
@EnableConfigurationProperties(EngineProperties.class)
public class EngineApplication {
    private static final Logger log = LoggerFactory.getLogger(EngineApplication.class);
    private static final int EXIT_USAGE = 2;

    private static final String USAGE = """
            usage: java -jar matching-engine.jar COMMAND

            start DIR [--setting=value ...]   run the engine of the node in DIR (genesis.json, engine.properties)
            status [HOST:PORT] [--tls=DIR]    print the state of the engine with this HTTP address (127.0.0.1:8080);
                                              DIR has certificate.pem, key.pem and trusted.pem to connect with
            help, --help, -h                  print this; start and status take --help and -h, too
            --version, -V                     print the version of this jar

            --log text|json                   form of the log lines of start; default: SEALBOOK_LOG_FORMAT, else text

            settings: server.address, server.port, sealbook.engine.grpc-port, ...; the module's README lists them

            exit codes:
              0    done; the engine at HOST:PORT executes new blocks
              1    the start failed; the engine at HOST:PORT answers, and does not execute new blocks, or its result
                   is wrong
              2    wrong usage
              3    the engine at HOST:PORT does not answer
              77   a key file is encrypted, and its passphrase is wrong or missing
              70   an invariant broke, or a result differs from that of the members
              74   a disk is full or failed, or a file is damaged; the last error of the log names it
              76   the chain goes on under rules that this build does not follow; install a newer one
            """;

    public static void main(String[] args) {
        System.setProperty("chronicle.analytics.disable", "true");
        // Samples of where buffers were taken cost stack traces under load; tests keep them on.
        System.getProperties().putIfAbsent("io.netty.leakDetection.level", "disabled");
        Optional<String> facts = facts(List.of(args));
        if (facts.isPresent()) {
            System.out.print(facts.get());
            return;
        }
        String command = args.length == 0 ? "" : args[0];
        switch (command) {
            case "start" -> start(Arrays.copyOfRange(args, 1, args.length));
            case "status" -> System.exit(StatusCommand.run(List.of(args).subList(1, args.length)));
            default -> {
                System.err.print(USAGE);
                System.exit(EXIT_USAGE);
            }
        }
    }

    /**
     * Returns what a command line asks about this jar: its usage or its version.
     *
     * @param args the whole command line
     * @return lines to print; empty if the command line asks for something else
     */
    static Optional<String> facts(List<String> args) {
        if (args.isEmpty()) {
            return Optional.empty();
        }
        return switch (args.getFirst()) {
            case "help", "--help", "-h" -> Optional.of(USAGE);
            case "--version", "-V" -> Optional.of("matching-engine " + ProductVersion.text() + System.lineSeparator());
            case "start", "status" ->
                args.contains("--help") || args.contains("-h") ? Optional.of(USAGE) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /**
     * Runs the application, again each time that its engine has to build its state again, until the process ends.
     *
     * @param directory of the node
     * @param settings as on the command line
     */
    static void runWithRestarts(Path directory, String... settings) throws InterruptedException {
        while (true) {
            BlockingQueue<String> requests = new LinkedBlockingQueue<>();
            SpringApplication application = application(directory);
            EngineRestart restart = requests::add;
            application.addInitializers(
                    context -> context.getBeanFactory().registerSingleton("engineRestart", restart));
            try (ConfigurableApplicationContext running = application.run(settings)) {
                log.warn("engine starts again: {}", requests.take());
            }
        }
    }

    /** Returns the application for a node's directory, for {@code start} and for tests. */
    static SpringApplication application(Path directory) {
        EngineDirectory node = new EngineDirectory(directory);
        SpringApplication application = new SpringApplication(EngineApplication.class);
        application.setDefaultProperties(Map.of(
                "sealbook.engine.directory",
                node.root().toString(),
                "spring.config.additional-location",
                "optional:file:" + node.properties()));
        return application;
    }

    private static void start(String[] args) {
        if (args.length == 0 || !Files.isRegularFile(new EngineDirectory(Path.of(args[0])).genesis())) {
            System.err.println("start: needs a node's directory with a genesis.json");
            System.exit(EXIT_USAGE);
        }
        try {
            LogFormat.choose(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(EXIT_USAGE);
        }
        try {
            runWithRestarts(Path.of(args[0]), Arrays.copyOfRange(args, 1, args.length));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // Boot has said why.
            TlsIdentity.exitCode(e).ifPresent(System::exit);
            throw e;
        }
    }
}
