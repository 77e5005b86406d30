package io.sealbook.engine.http;

import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.tls.TlsSettings;
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
 * Gives Spring Boot the engine's settings of TLS for the HTTP ports: REST, WebSocket, console, and actuator, which may
 * have a port of its own. {@link IdentityBundle} is their {@code SslBundle}. An engine that other machines reach
 * without TLS does not start.
 */
public final class HttpTls implements EnvironmentPostProcessor, Ordered {
    /** What a port listens on whose address is not set. */
    private static final String EVERY_ADDRESS = "0.0.0.0";

    /** After the settings files were read. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (!environment.containsProperty(EngineSettings.PREFIX + "directory")) {
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
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("sealbook-tls", properties(hasManagementPort)));
        }
    }

    private static Map<String, Object> properties(boolean hasManagementPort) {
        Map<String, Object> properties = new HashMap<>();
        // Also for the gRPC port, which alone may be one that only this machine reaches.
        properties.put(EngineSettings.PREFIX + TlsSettings.MODE_KEY, "required");
        properties.put("server.ssl.bundle", IdentityBundle.NAME);
        properties.put("server.ssl.client-auth", "need");
        if (hasManagementPort) {
            properties.put("management.server.ssl.bundle", IdentityBundle.NAME);
            properties.put("management.server.ssl.client-auth", "need");
        }
        return properties;
    }
}
