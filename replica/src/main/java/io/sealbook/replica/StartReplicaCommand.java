package io.sealbook.replica;

import io.sealbook.consensus.ConsensusNode;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.OpenedKeys;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.LogOption;
import io.sealbook.consensus.tool.NodeProcess;
import io.sealbook.consensus.tool.StartCommand;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code start}: runs a replica until a signal stops it. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the node of a directory with its engine inside, until SIGTERM or SIGINT.",
            "Prints 'node N ready ...' when it serves. The directory is one of consensus-node.jar testnet; its node and"
                    + " engine may be started as two processes the next time."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "143:stopped by SIGTERM, after closing its files (130 by SIGINT)",
            "1:could not start",
            "2:wrong use",
            StartCommand.REPLICA_LOG_LOST + ":the replica log is lost; the message names the risk and the way out",
            StartCommand.IDENTITY_REPLACED
                    + ":an administrative transaction gave the node another key; this machine takes no part",
            "70:ended by a failure, named in the last line",
            "74:a disk is full or failed, or the key's hardware module; make room and start again",
            StartCommand.UNKNOWN_PROTOCOL_VERSION
                    + ":the chain goes on under rules that this build does not follow; install a newer one",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        })
public final class StartReplicaCommand implements Callable<Integer> {
    @Mixin
    private LogOption logOption;

    @Parameters(paramLabel = "DIR", description = "The node's directory.")
    private Path directory;

    @Option(
            names = "--accept-lost-replica-log",
            description = "Lets this replica vote without the records of its earlier votes. Use it only if every other"
                    + " member runs with its own replica log, and for one node at a time.")
    private boolean isLostReplicaLogAccepted;

    @Option(
            names = "--engine-property",
            paramLabel = "KEY=VALUE",
            description = "A setting of this start in place of engine.properties; may be given several times.")
    private Map<String, String> engineProperties = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OpenedKeys keys = new OpenedKeys();
        NodeProcess.run(fatal -> open(keys, fatal));
        return 0;
    }

    private ConsensusNode open(OpenedKeys keys, Consumer<Throwable> fatal) throws IOException {
        EngineDirectory files = new EngineDirectory(directory);
        EngineSettings settings = EngineFile.read(files.properties(), engineProperties);
        AgreedMarket market = AgreedMarket.read(files.genesis())
                .requireHeap(Runtime.getRuntime().maxMemory());
        return ConsensusNode.openReplica(
                new NodeDirectory(files.root()),
                new StartOptions(isLostReplicaLogAccepted),
                keys,
                fatal,
                (registry, lastCommitted, tls) ->
                        ReplicaEngine.open(new EngineContext(files, market, settings, tls, registry, lastCommitted)));
    }
}
