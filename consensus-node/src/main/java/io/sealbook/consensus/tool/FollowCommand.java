package io.sealbook.consensus.tool;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.follow.ChainFollower;
import io.sealbook.consensus.follow.FaultySourcesException;
import io.sealbook.consensus.life.StorageFailures;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code follow}: runs a follower until a signal stops it. */
@Command(
        name = "follow",
        mixinStandardHelpOptions = true,
        description = {
            "Follows the committed blocks of a cluster over the network until SIGTERM or SIGINT: verifies hashes and"
                    + " certificates, keeps an archive of its own and hands blocks to an engine in the same directory."
                    + " Takes no part in agreement and needs no key but an auditor's where TLS is required.",
            "DIR has the cluster's genesis.json and may have follower.properties; archive and queue are created.",
            "Prints 'follower ready ...' when it runs."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "143:stopped by SIGTERM, after closing its files (130 by SIGINT)",
            "1:could not start",
            "2:wrong use",
            "66:every source sent what does not verify; the last line names them. Nothing of it was stored",
            "70:ended by a failure, named in the last line",
            "74:a disk is full or failed, or the key's hardware module; make room and start again",
            StartCommand.UNKNOWN_PROTOCOL_VERSION
                    + ":the chain goes on under rules that this build does not follow; install a newer one",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        })
public final class FollowCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(FollowCommand.class);
    private static final int NO_SOURCE = 66;
    private static final int FAILED = 70;
    private static final int STORAGE_FAILED = 74;

    @Mixin
    private LogOption logOption;

    @Parameters(paramLabel = "DIR", description = "The follower's directory.")
    private Path directory;

    @Override
    public Integer call() throws Exception {
        ChainFollower follower = ChainFollower.open(new NodeDirectory(directory), FollowCommand::endProcess);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            follower.close();
                            stopped.countDown();
                        },
                        "stop"));
        follower.start();
        stopped.await();
        return 0;
    }

    private static synchronized void endProcess(Throwable failure) {
        log.error("follower ends: {}", failure.toString(), failure);
        int exitCode = exitCode(failure);
        System.out.println("FATAL " + (exitCode == STORAGE_FAILED ? diskFailure(failure) : failure));
        System.out.flush();
        Runtime.getRuntime().halt(exitCode);
    }

    private static int exitCode(Throwable failure) {
        if (failure instanceof FaultySourcesException) {
            return NO_SOURCE;
        }
        if (failure instanceof UnknownProtocolVersionException) {
            return StartCommand.UNKNOWN_PROTOCOL_VERSION;
        }
        return StorageFailures.isStorage(failure) ? STORAGE_FAILED : FAILED;
    }

    private static String diskFailure(Throwable failure) {
        return "the follower stores nothing further: " + OperatingFailureException.describe(failure)
                + "; make room and start it again, it requests what it lacks";
    }
}
