package io.sealbook.node.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which a log can be lost, beside every evidence that there was one. */
class VoteRecordsTest {
    @TempDir
    private Path directory;

    private long handedOver;
    private final List<String> accepted = new ArrayList<>();

    @Test
    void shouldLetANewReplicaStartAgainAndAgain() {
        for (int start = 1; start <= 3; start++) {
            assertThatCode(() -> start(false)).doesNotThrowAnyException();
        }

        assertThat(accepted).isEmpty();
    }

    @Test
    void shouldLetAReplicaStartWithItsRecords() {
        vote();
        appendBlock();

        assertThatCode(() -> start(false)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseWhenTheDirectoryOfTheLogIsMissing() throws IOException {
        vote();
        appendBlock();
        delete(directory.resolve("log"));

        refuses("the archive ends at block 1");
    }

    @Test
    void shouldRefuseWhenTheLogHasNoRecord() throws IOException {
        vote();
        appendBlock();
        try (RandomAccessFile segment = new RandomAccessFile(segment().toFile(), "rw")) {
            segment.setLength(32); // Its header.
        }

        refuses("the archive ends at block 1");
    }

    @Test
    void shouldRefuseWhenItVotedForBlockOneAndHasNoBlock() throws IOException {
        vote();
        delete(directory.resolve("log"));

        refuses("replica-mark/ shows that this replica has voted");
    }

    @Test
    void shouldRefuseWhenOnlyTheQueueIsLeft() {
        handedOver = 7;

        refuses("queue/blocks ends at block 7");
    }

    @Test
    void shouldMarkAReplicaOfAnEarlierReleaseThatHasRecordsAndNoMark() throws IOException {
        vote();
        delete(directory.resolve("mark"));

        start(false);
        delete(directory.resolve("log"));

        refuses("replica-mark/ shows that this replica has voted");
    }

    @Test
    void shouldStartOnTheOperatorsResponsibilityUntilThereIsARecord() throws IOException {
        vote();
        appendBlock();
        delete(directory.resolve("log"));

        start(true);

        assertThat(accepted).containsExactly("the archive ends at block 1");
        refuses("the archive ends at block 1");

        vote();
        assertThatCode(() -> start(false)).doesNotThrowAnyException();
        assertThat(accepted).hasSize(1);
    }

    /** Twice: the first attempt must leave nothing that lets the second one pass. */
    private void refuses(String evidence) {
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> start(false))
                    .isInstanceOf(LostReplicaLogException.class)
                    .hasMessageContaining("replica-log/ has no record, but " + evidence)
                    .hasMessageContaining("the chain can fork")
                    .hasMessageContaining("Restore replica-log/")
                    .hasMessageContaining("--accept-lost-replica-log");
        }
    }

    private void start(boolean isLossAccepted) {
        try (ReplicaLog log = log();
                VoteMark mark = mark();
                BlockArchive archive = archive()) {
            new VoteRecords(log, mark, archive, new Sink()).require(isLossAccepted, new NoEvents() {
                @Override
                public void replicaLogLossAccepted(String evidence) {
                    accepted.add(evidence);
                }
            });
        }
    }

    /** Does what the agent does with the first record of a replica. */
    private void vote() {
        try (ReplicaLog log = log();
                VoteMark mark = mark()) {
            log.append(new ReplicaRecord.ViewLeft(1, List.of()));
            mark.set();
        }
    }

    private void appendBlock() {
        byte[] batch = new byte[SignedBatch.signedLength(1)];
        try (BlockArchive archive = archive()) {
            archive.append(Block.wrap(new BlockBuilder()
                            .begin(1, 0, 1, Digest.ZERO, Digest.ZERO)
                            .add(BatchId.of(batch), 1, batch, 0, batch.length)
                            .build())
                    .bytes());
        }
    }

    private ReplicaLog log() {
        return ReplicaLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS, 16 << 10);
    }

    private VoteMark mark() {
        return VoteMark.open(FileStorage.open(directory.resolve("mark")), Durability.PROCESS);
    }

    private BlockArchive archive() {
        return BlockArchive.open(directory.resolve("archive"), new ArchiveConfig(Digest.ZERO, 16, Durability.PROCESS));
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("log"))) {
            return files.filter(file -> file.toString().endsWith(".segment"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A queue of which only the end is read. */
    private final class Sink implements BlockSink {
        @Override
        public void append(BlockLocation block) {
            throw new AssertionError(block);
        }

        @Override
        public Optional<BlockLocation> last() {
            throw new AssertionError("only its number is needed");
        }

        @Override
        public long lastSequence() {
            return handedOver;
        }
    }
}
