package io.sealbook.consensus.execution;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.ExecutionConfig;
import io.sealbook.protocol.GenesisFile;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the engine that the settings name, on the class path of the node. */
public final class InProcessEngineChoice {
    private InProcessEngineChoice() {}

    /**
     * Returns the engine, which the caller closes.
     *
     * @param config names the engine and has its settings
     * @param genesis the market and the members
     * @throws ConfigException if no engine on the class path has the name, or it refuses its settings
     */
    public static InProcessEngine open(ExecutionConfig config, GenesisFile genesis) {
        List<InProcessEngineProvider> providers = ServiceLoader.load(InProcessEngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        InProcessEngineProvider chosen = providers.stream()
                .filter(provider -> provider.name().equals(config.engine()))
                .findFirst()
                .orElseThrow(() -> new ConfigException("node.properties: experiment.engine=" + config.engine()
                        + " is none of "
                        + providers.stream().map(InProcessEngineProvider::name).toList()
                        + ", the engines on the class path"));
        try {
            return chosen.open(genesis, config.settings());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "node.properties: experiment.engine=" + config.engine() + ": " + e.getMessage(), e);
        }
    }
}
