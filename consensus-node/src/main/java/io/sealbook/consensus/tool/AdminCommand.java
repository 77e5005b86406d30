package io.sealbook.consensus.tool;

import picocli.CommandLine.Command;

/** {@code admin}: shows and changes the consortium. */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the consortium, and changes its nodes, parameters, brokers, keys, instruments and auditors by",
            "transactions.",
            "One member proposes a transaction in a file, a quorum of members approves it, and one submits it."
        },
        subcommands = {
            AdminShowCommand.class,
            AdminProposeCommand.class,
            AdminTransactionCommand.class,
            AdminApproveCommand.class,
            AdminSubmitCommand.class
        })
public final class AdminCommand {}
