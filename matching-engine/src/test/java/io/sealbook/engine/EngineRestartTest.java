package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service starts again in its process when its node is isolated, and its database is filled anew. */
@Timeout(300)
class EngineRestartTest {
    private static final int BLOCKS = 5;

    @TempDir
    private Path directory;

    @Test
    void shouldBuildItsStateAgainWhileTheProcessGoesOn() throws Exception {
        EngineDirectory files = new EngineDirectory(directory);
        Digest genesis = TestMarket.write(
                        directory,
                        1,
                        "server.port=0",
                        "sealbook.engine.grpc-port=0",
                        "sealbook.engine.database.idle-ms=10")
                .digest();
        TestNode node = new TestNode(directory, genesis);
        node.commitFlow(new TestFlow(5), BLOCKS, 2, 5);
        Thread engine = Thread.ofPlatform().start(this::run);
        Facts.await("the engine has executed", () -> node.results().size() == BLOCKS);

        // The engine is right; that the others have its result and the node another one orders a rebuild all the same.
        BlockResult last = node.results().getLast();
        Digest other = Digest.sha256(new byte[1]);
        new IsolationNotice(BLOCKS, other, other, other, last.digest(), 0).write(files.isolation());

        Facts.await("it has reported everything again", () -> node.results().size() == 2 * BLOCKS);
        List<BlockResult> results = node.results();
        assertThat(results.subList(BLOCKS, 2 * BLOCKS).stream().map(BlockResult::digest))
                .containsExactlyElementsOf(results.subList(0, BLOCKS).stream()
                        .map(BlockResult::digest)
                        .toList());
        Facts.await("the database is filled anew", () -> !Files.exists(files.staleDatabase()));
        engine.interrupt();
        engine.join();
    }

    /** Test contexts are paused while another one is used. */
    @Test
    void shouldGoOnAfterItsContextWasPaused() throws Exception {
        Digest genesis = TestMarket.write(
                        directory,
                        1,
                        "server.port=0",
                        "sealbook.engine.grpc-port=0",
                        "sealbook.engine.exit-on-failure=false",
                        "sealbook.engine.database.idle-ms=10")
                .digest();
        TestNode node = new TestNode(directory, genesis);
        try (ConfigurableApplicationContext context =
                EngineApplication.application(directory).run("--logging.level.root=warn")) {
            context.pause();
            context.restart();

            node.commitFlow(new TestFlow(5), BLOCKS, 2, 5);
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("the database has the blocks", () -> monitor.persistedBlock() == BLOCKS);
        }
    }

    private void run() {
        try {
            EngineApplication.runWithRestarts(directory, "--logging.level.root=warn");
        } catch (InterruptedException e) {
            // The test has seen enough.
            Thread.currentThread().interrupt();
        }
    }
}
