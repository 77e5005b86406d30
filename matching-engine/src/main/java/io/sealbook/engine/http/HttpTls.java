package io.sealbook.engine.http;

import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives Spring Boot the engine's settings of TLS for the HTTP port: REST, WebSocket, console and actuator. The files
 * are an {@code SslBundle}; {@link LimitedHttpProtocol} loads them again when they change. An engine that other
 * machines reach without TLS does not start.
 */
public final class HttpTls implements EnvironmentPostProcessor, Ordered {
    private static final String BUNDLE = "sealbook";
    /** Of a separate port of the actuator, whose connector is Boot's own. */
    private static final String MANAGEMENT_BUNDLE = "sealbook-management";
    /** What a port listens on whose address is not set. */
    private static final String EVERY_ADDRESS = "0.0.0.0";

    /** After the settings files were read. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String directory = environment.getProperty(EngineSettings.PREFIX + "directory");
        if (directory == null) {
            return;
        }
        boolean hasManagementPort = environment.containsProperty("management.server.port");
        List<String> addresses = new ArrayList<>();
        addresses.add(environment.getProperty(EngineSettings.PREFIX + "grpc-address", "127.0.0.1"));
        addresses.add(environment.getProperty("server.address", EVERY_ADDRESS));
        if (hasManagementPort) {
            addresses.add(environment.getProperty("management.server.address", EVERY_ADDRESS));
        }
        TlsSettings tls = EngineSettings.tls(environment::getProperty, addresses);
        if (tls.isRequired()) {
            EngineDirectory files = new EngineDirectory(Path.of(directory));
            // Files that cannot be used end the start here, with their name.
            EngineTls.open(tls, files, Genesis::getDefaultInstance);
            environment
                    .getPropertySources()
                    .addFirst(
                            new MapPropertySource("sealbook-tls", properties(tls.in(files.root()), hasManagementPort)));
        }
    }

    private static Map<String, Object> properties(TlsSettings tls, boolean hasManagementPort) {
        Map<String, Object> properties = new HashMap<>();
        // Also for the gRPC port, which alone may be one that only this machine reaches.
        properties.put(EngineSettings.PREFIX + TlsSettings.MODE_KEY, "required");
        properties.putAll(bundle(BUNDLE, tls));
        properties.put("server.ssl.bundle", BUNDLE);
        properties.put("server.ssl.client-auth", "need");
        if (hasManagementPort) {
            properties.putAll(bundle(MANAGEMENT_BUNDLE, tls));
            properties.put("spring.ssl.bundle.pem." + MANAGEMENT_BUNDLE + ".reload-on-update", "true");
            properties.put("management.server.ssl.bundle", MANAGEMENT_BUNDLE);
            properties.put("management.server.ssl.client-auth", "need");
        }
        return properties;
    }

    private static Map<String, Object> bundle(String name, TlsSettings tls) {
        String prefix = "spring.ssl.bundle.pem." + name + ".";
        return Map.of(
                prefix + "keystore.certificate", tls.certificate().toUri().toString(),
                prefix + "keystore.private-key", tls.key().toUri().toString(),
                prefix + "truststore.certificate", tls.trusted().toUri().toString(),
                prefix + "options.enabled-protocols", TlsIdentity.PROTOCOL);
    }
}
