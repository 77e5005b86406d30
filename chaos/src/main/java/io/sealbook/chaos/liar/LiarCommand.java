package io.sealbook.chaos.liar;

import io.sealbook.consensus.ConsensusNode;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.peers.Speech;
import io.sealbook.consensus.tool.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs a node that lies while a file says so. Runs start it; it is for laboratories only. */
@Command(
        name = "liar",
        mixinStandardHelpOptions = true,
        description = "Runs a node that lies to the other members while the file 'lie' in its directory names a lie."
                + " Runs with the fault byzantine start it. For laboratories only.")
public final class LiarCommand implements Callable<Integer> {
    private static final long POLL_MS = 10;

    @Parameters(paramLabel = "DIR", description = "The node's directory.")
    private Path directory;

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeDirectory files = new NodeDirectory(directory);
        LieFile file = new LieFile(directory);
        PresentLie lie = new PresentLie(file);
        Thread.ofPlatform().name("lie").daemon().start(() -> poll(file, lie));
        UnaryOperator<Speech> speech = honest -> lying(honest, files, lie);
        NodeProcess.run(fatal -> ConsensusNode.openLaboratory(files, StartOptions.NONE, fatal, speech));
        return 0;
    }

    private static Speech lying(Speech honest, NodeDirectory files, PresentLie lie) {
        try {
            Member member = Member.read(files);
            return new LyingSpeech(honest, member.nodeId(), member.genesis().genesis(), member.identity(), lie);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void poll(LieFile file, PresentLie lie) {
        try {
            while (true) {
                Optional<Lie> present = file.present();
                lie.set(present);
                Thread.sleep(POLL_MS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
