package io.sealbook.consensus.tool;

import picocli.CommandLine.Command;

/** {@code genesis}: members who do not trust each other agree on a genesis file. */
@Command(
        name = "genesis",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a genesis file with members who do not trust each other. Each member proposes its own entries,",
            "signed; one collects these contributions, each signs the whole, and anybody checks it."
        },
        subcommands = {
            GenesisProposeCommand.class,
            GenesisCollectCommand.class,
            GenesisSignCommand.class,
            GenesisCheckCommand.class
        })
public final class GenesisCommand {}
