package io.sealbook.spring.engine;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of an engine in an application, besides its {@link io.sealbook.engine.setup.EngineSettings}, which have the
 * same prefix.
 *
 * @param enabled Whether the application has an engine.
 * @param directory Directory of the node whose blocks are executed, with genesis.json, archive and queues.
 * @param exitOnFailure Whether a failure of the engine ends the process, with exit code 74 after a full disk or a
 *     damaged file, 76 if the chain has rules that this build does not follow, 70 after anything else. Otherwise it
 *     publishes an EngineFailedEvent, and the engine's health is DOWN.
 */
@ConfigurationProperties("sealbook.engine")
public record EmbeddedEngineProperties(
        @DefaultValue("true") boolean enabled,
        Path directory,
        @DefaultValue("false") boolean exitOnFailure) {

    public EmbeddedEngineProperties {
        if (directory == null) {
            throw new IllegalArgumentException("sealbook.engine: directory is not set");
        }
    }
}
