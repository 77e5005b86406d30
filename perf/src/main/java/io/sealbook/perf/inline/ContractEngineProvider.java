package io.sealbook.perf.inline;

import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessEngineProvider;
import io.sealbook.protocol.GenesisFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Makes engines whose order book is a smart contract. The settings {@code program} and {@code contract} name the files
 * of a {@link ContractBuild}.
 */
public final class ContractEngineProvider implements InProcessEngineProvider {
    public static final String NAME = "contract";
    public static final String PROGRAM = "program";
    public static final String CONTRACT = "contract";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public InProcessEngine open(GenesisFile genesis, Map<String, String> settings) {
        if (!settings.keySet().equals(Set.of(PROGRAM, CONTRACT))) {
            throw new IllegalArgumentException(
                    "settings " + settings.keySet() + ", expected " + PROGRAM + " and " + CONTRACT);
        }
        return new ContractEngine(
                new ContractBuild(Path.of(settings.get(PROGRAM)), Path.of(settings.get(CONTRACT))), genesis.genesis());
    }
}
