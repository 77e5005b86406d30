package io.sealbook.consensus.tool;

import io.sealbook.consensus.ConsensusNode;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.OpenedKeys;
import io.sealbook.consensus.config.StartOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code start}: runs a node until a signal stops it. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "Runs the node of a directory until SIGTERM or SIGINT. Prints 'node N ready ...' when it serves.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "143:stopped by SIGTERM, after closing its files (130 by SIGINT)",
            "1:could not start",
            "2:wrong use",
            "65:the replica log is lost; the message names the risk and the way out",
            StartCommand.IDENTITY_REPLACED
                    + ":an administrative transaction gave the node another key; this machine takes no part",
            "70:ended by a failure, named in the last line",
            "74:a disk is full or failed, or the key's hardware module; make room and start again",
            StartCommand.UNKNOWN_PROTOCOL_VERSION
                    + ":the chain goes on under rules that this build does not follow; install a newer one",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        })
public final class StartCommand implements Callable<Integer> {
    /** Exit code if the records of this replica's votes are lost. */
    public static final int REPLICA_LOG_LOST = 65;

    /** Exit code if the node's key was replaced by another one. */
    public static final int IDENTITY_REPLACED = 66;

    /** Exit code if the chain has a protocol version that this build does not follow. */
    public static final int UNKNOWN_PROTOCOL_VERSION = 76;

    @Mixin
    private LogOption logOption;

    @Parameters(paramLabel = "DIR", description = "The node's directory.")
    private Path directory;

    @Option(
            names = "--accept-lost-replica-log",
            description = "Lets this replica vote without the records of its earlier votes. Use it only if every other"
                    + " member runs with its own replica log, and for one node at a time.")
    private boolean isLostReplicaLogAccepted;

    @Override
    public Integer call() throws Exception {
        OpenedKeys keys = new OpenedKeys();
        NodeProcess.run(fatal -> ConsensusNode.open(
                new NodeDirectory(directory), new StartOptions(isLostReplicaLogAccepted), keys, fatal));
        return 0;
    }
}
