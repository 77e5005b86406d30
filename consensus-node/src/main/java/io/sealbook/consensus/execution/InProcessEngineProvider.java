package io.sealbook.consensus.execution;

import io.sealbook.protocol.GenesisFile;
import java.util.Map;

/**
 * Makes engines that run inside a node of experiments. Found by {@link java.util.ServiceLoader}: the jar of a node in
 * production contains none.
 */
public interface InProcessEngineProvider {
    /** Returns the name by which {@code experiment.engine} chooses it. */
    String name();

    /**
     * Makes an engine that has executed nothing.
     *
     * @param genesis the market and the members
     * @param settings values of {@code experiment.engine.*}, by the rest of the key
     * @return an engine that the caller closes
     * @throws IllegalArgumentException if a setting is unknown or wrong; the message names it
     */
    InProcessEngine open(GenesisFile genesis, Map<String, String> settings);
}
