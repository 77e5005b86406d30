package io.sealbook.consensus.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive of eight blocks with a certificate for each second one, and results as an engine writes them. */
class EngineJudgeTest {
    private static final int BLOCKS = 8;
    private static final int INTERVAL = 2;
    private static final int RIGHT = 1;

    @TempDir
    private Path directory;

    private Path file;
    private BlockArchive archive;
    private HandOffWriter<BlockResult> results;

    @BeforeEach
    void open() {
        file = directory.resolve("queue/isolation");
        archive = BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(Digest.ZERO, BLOCKS, Durability.PROCESS));
        Digest previous = Digest.ZERO;
        for (int i = 1; i <= BLOCKS; i++) {
            var block = new BlockBuilder().begin(i, 0, i, Digest.ZERO, previous).buildBlock();
            archive.append(block.bytes());
            previous = block.hash();
            if (i % INTERVAL == 0) {
                archive.putCertificate(
                        new CheckpointCertificate(i, block.hash(), result(i, RIGHT), Digest.ZERO, List.of()));
            }
        }
        results = HandOffWriter.ofResults(directory.resolve("queue/results"));
    }

    @AfterEach
    void close() {
        results.close();
        archive.close();
    }

    @Test
    void shouldFindARightEngineRight() {
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, RIGHT);
            judge.doWork();

            assertThat(judge.lastRight()).isEqualTo(BLOCKS);
            assertThat(judge.wrongAt()).isZero();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void shouldTellAWrongEngineUpToWhereItWasRight() {
        try (EngineJudge judge = judge()) {
            report(1, 4, RIGHT);
            report(5, BLOCKS, 2);
            judge.doWork();

            assertThat(judge.wrongAt()).isEqualTo(6);
            assertThat(told().checkpoint()).isEqualTo(6);
            assertThat(told().provenTo()).isEqualTo(4);
            assertThat(told().ownResult()).isEqualTo(result(6, 2));
            assertThat(told().agreedResult()).isEqualTo(result(6, RIGHT));
        }
    }

    /** What the engine did while the follower was down, nobody has judged. */
    @Test
    void shouldProveNothingThatItHasNotSeen() {
        report(1, 2, RIGHT);
        report(3, BLOCKS, 2);
        try (EngineJudge judge = judge()) {
            assertThat(judge.wrongAt()).isEqualTo(BLOCKS);
            assertThat(told().provenTo()).isZero();
        }
    }

    /** The engine counts its rebuilds by the notice, and gives up after two. */
    @Test
    void shouldKeepTheFirstNoticeWhileTheEngineIsWrongInOtherWays() throws Exception {
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, 2);
            judge.doWork();
            byte[] first = Files.readAllBytes(file);
            report(1, BLOCKS, 3);
            judge.doWork();

            assertThat(Files.readAllBytes(file)).isEqualTo(first);
        }
    }

    @Test
    void shouldDeleteTheNoticeOnceARebuiltEngineIsRight() {
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, 2);
            judge.doWork();
            report(1, BLOCKS, RIGHT);
            judge.doWork();

            assertThat(judge.wrongAt()).isZero();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void shouldGoOnWithItsNoticeAfterARestart() {
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, 2);
            judge.doWork();
        }
        try (EngineJudge judge = judge()) {
            assertThat(judge.wrongAt()).isEqualTo(2);
            report(1, BLOCKS, RIGHT);
            judge.doWork();

            assertThat(file).doesNotExist();
        }
    }

    /** As on a full disk. */
    @Test
    void shouldTellTheEngineOnceTheFileCanBeWritten() throws Exception {
        Path inTheWay = Files.createFile(Files.createDirectories(file).resolve("x"));
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, 2);
            judge.doWork();
            assertThat(judge.wrongAt()).isEqualTo(2);
            Files.delete(inTheWay);
            Files.delete(file);

            judge.doWork();

            assertThat(told().checkpoint()).isEqualTo(2);
        }
    }

    /** As an operator's copy that was cut short. */
    @Test
    void shouldReplaceAFileThatTheEngineCannotObey() throws Exception {
        Files.writeString(Files.createDirectories(file.getParent()).resolve(file.getFileName()), "checkpoint=");
        try (EngineJudge judge = judge()) {
            report(1, BLOCKS, 2);
            judge.doWork();

            assertThat(told().checkpoint()).isEqualTo(2);
        }
    }

    /** Of a node with engine=remote, before its block has a certificate. */
    @Test
    void shouldDeleteANoticeThatAnOperatorHasCopied() throws Exception {
        try (EngineJudge judge = judge()) {
            notice(6, result(6, RIGHT).bytes()[0]).write(file);
            report(1, BLOCKS, RIGHT);
            judge.doWork();

            assertThat(file).doesNotExist();
        }
    }

    @Test
    void shouldPassOverANoticeOfAnotherChain() throws Exception {
        IsolationNotice ofAnEngine = notice(6, (byte) 0);
        new IsolationNotice(6, result(6, 5), ofAnEngine.ownResult(), Digest.ZERO, ofAnEngine.agreedResult(), 0)
                .write(file);
        try (EngineJudge judge = judge()) {
            assertThat(judge.wrongAt()).isZero();
            assertThat(judge.lastRight()).isZero();

            report(1, BLOCKS, 2);
            judge.doWork();
            assertThat(told().isEngineWrong()).isTrue();
        }
    }

    /** Returns a judge that has looked at what is there. */
    private EngineJudge judge() {
        EngineJudge judge = new EngineJudge(archive, directory.resolve("queue/results"), file);
        judge.doWork();
        return judge;
    }

    private IsolationNotice told() {
        return IsolationNotice.read(file).orElseThrow();
    }

    private static IsolationNotice notice(long checkpoint, byte own) {
        return new IsolationNotice(
                checkpoint, Digest.ZERO, result(checkpoint, own), Digest.ZERO, result(checkpoint, RIGHT), 0);
    }

    private void report(long from, long to, int outcome) {
        for (long i = from; i <= to; i++) {
            results.append(new BlockResult(i, result(i, outcome), i, 0, 0));
        }
    }

    private static Digest result(long block, int outcome) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) outcome;
        bytes[1] = (byte) block;
        return Digest.of(bytes);
    }
}
