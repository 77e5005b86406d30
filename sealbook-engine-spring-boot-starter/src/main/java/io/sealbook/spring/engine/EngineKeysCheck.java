package io.sealbook.spring.engine;

import io.sealbook.engine.setup.EngineKeys;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses settings of an engine that no engine reads: in files, on the command line and in system properties, in each
 * spelling that Spring accepts. Environment variables are not checked: SEALBOOK_ENGINE_PORT may be of another program.
 */
final class EngineKeysCheck {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("sealbook.engine");

    private EngineKeysCheck() {}

    /** @throws IllegalArgumentException if a key is unknown; the message names it */
    static void run(ConfigurableEnvironment environment) {
        Set<ConfigurationPropertyName> known =
                EngineKeys.known().stream().map(ConfigurationPropertyName::of).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                names.stream()
                        .filter(PREFIX::isAncestorOf)
                        .filter(name -> !known.contains(name))
                        .forEach(name -> unknown.add(name.toString()));
            }
        }
        EngineKeys.refuseUnknown(unknown);
    }
}
