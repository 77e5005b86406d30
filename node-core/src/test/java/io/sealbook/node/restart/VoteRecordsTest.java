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
import io.sealbook.archive.storage.StorageException;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.node.payloadlog.RecordingStorage;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.StableCertificate;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which a log can be lost, beside every evidence that there was one. */
class VoteRecordsTest {
    private static final VerificationKey KEY =
            SigningKey.generate(SignatureScheme.SM2_SM3).verificationKey();
    private static final VerificationKey OTHER_KEY =
            SigningKey.generate(SignatureScheme.SM2_SM3).verificationKey();

    @TempDir
    private Path directory;

    private long handedOver;
    private final List<String> accepted = new ArrayList<>();

    @BeforeEach
    void makeTheKey() throws IOException {
        makeNew();
    }

    @Test
    void shouldLetANewReplicaStartAgainAndAgain() {
        for (int start = 1; start <= 3; start++) {
            assertThatCode(() -> start(false)).doesNotThrowAnyException();
            assertThat(neverVoted().file()).doesNotExist();
            assertThat(records())
                    .as("an archive without any record would look like a lost log")
                    .containsExactly(new ReplicaRecord.Stable(StableCertificate.GENESIS));
            assertThat(directory.resolve("mark").resolve(VoteMark.FILE)).exists();
        }

        assertThat(accepted).isEmpty();
    }

    @Test
    void shouldRefuseAKeyThatLostEverything() throws IOException {
        start(false);
        vote();
        appendBlock();
        for (String part : List.of("log", "mark", "archive")) {
            delete(directory.resolve(part));
        }

        refuses(neverVotedIsAbsent(), "let the members give the node another key");
        assertThat(records()).isEmpty();
        assertThat(directory.resolve("mark").resolve(VoteMark.FILE)).doesNotExist();
    }

    @Test
    void shouldTakeTheMarkOfAnotherKeyForNone() throws IOException {
        Files.delete(neverVoted().file());
        NeverVotedMark.of(directory.resolve("node.key"), OTHER_KEY).write();

        refuses(
                "and nothing shows that its key has never voted: "
                        + neverVoted().file() + " names the key ",
                "let the members give the node another key");
        assertThat(neverVoted().file()).exists();
    }

    /** As a directory has it that was restored from a copy of before the first start. */
    @Test
    void shouldNotBelieveAMarkBesideTheEvidenceOfVotes() throws IOException {
        start(false);
        appendBlock();
        delete(directory.resolve("log"));
        neverVoted().write();

        refuses("but the archive ends at block 1");
        delete(directory.resolve("archive"));
        refuses("but replica-mark/ shows that this replica has voted");
        delete(directory.resolve("mark"));
        handedOver = 7;
        refuses("but queue/blocks ends at block 7");
    }

    /** Each place in which a first start may have ended, also at a removal that the disk has taken back. */
    @Test
    void shouldGoOnAfterAFirstStartThatEndedBetweenItsSteps() throws IOException {
        record Step(boolean isMarkSet, boolean isNeverVotedThere) {}
        for (Step step : List.of(new Step(false, true), new Step(true, true), new Step(true, false))) {
            makeNew();
            try (ReplicaLog log = log();
                    VoteMark mark = mark()) {
                log.append(new ReplicaRecord.Stable(StableCertificate.GENESIS));
                if (step.isMarkSet) {
                    mark.set();
                }
            }
            if (!step.isNeverVotedThere) {
                Files.delete(neverVoted().file());
            }

            assertThatCode(() -> start(false)).as(step.toString()).doesNotThrowAnyException();

            assertThat(neverVoted().file()).as(step.toString()).doesNotExist();
            delete(directory.resolve("log"));
            refuses("but replica-mark/ shows that this replica has voted");
            delete(directory.resolve("mark"));
            refuses(neverVotedIsAbsent(), "let the members give the node another key");
        }
    }

    /** The disk has both before the mark goes, in a class that syncs nothing else. */
    @Test
    void shouldSyncTheRecordAndTheVoteMarkBeforeTheNeverVotedMarkGoes() {
        RecordingStorage ofLog = new RecordingStorage(FileStorage.open(directory.resolve("log")));
        RecordingStorage ofMark = new RecordingStorage(FileStorage.open(directory.resolve("mark")));
        try (ReplicaLog log = ReplicaLog.open(ofLog, Durability.PROCESS, 16 << 10);
                VoteMark mark = VoteMark.open(ofMark, Durability.PROCESS);
                BlockArchive archive = archive()) {
            ofLog.events.clear();
            ofMark.isFull = true;
            VoteRecords records = new VoteRecords(log, mark, neverVoted(), archive, new Sink());

            assertThatThrownBy(() -> records.require(false, new NoEvents())).isInstanceOf(StorageException.class);
            assertThat(ofLog.events).containsExactly("write", "sync", "sync names");
            assertThat(neverVoted().file()).as("the step before failed").exists();

            ofMark.isFull = false;
            records.require(false, new NoEvents());
            assertThat(ofMark.events).containsExactly("write", "sync", "sync names");
            assertThat(neverVoted().file()).doesNotExist();
        }
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

        refuses("but the archive ends at block 1");
    }

    @Test
    void shouldRefuseWhenTheLogHasNoRecord() throws IOException {
        vote();
        appendBlock();
        try (RandomAccessFile segment = new RandomAccessFile(segment().toFile(), "rw")) {
            segment.setLength(32); // Its header.
        }

        refuses("but the archive ends at block 1");
    }

    @Test
    void shouldRefuseWhenItVotedForBlockOneAndHasNoBlock() throws IOException {
        vote();
        delete(directory.resolve("log"));

        refuses("but replica-mark/ shows that this replica has voted");
    }

    @Test
    void shouldRefuseWhenOnlyTheQueueIsLeft() {
        handedOver = 7;

        refuses("but queue/blocks ends at block 7");
    }

    @Test
    void shouldMarkAReplicaOfAnEarlierReleaseThatHasRecordsAndNoMark() throws IOException {
        Files.delete(neverVoted().file());
        vote();
        delete(directory.resolve("mark"));

        start(false);
        delete(directory.resolve("log"));

        refuses("but replica-mark/ shows that this replica has voted");
    }

    @Test
    void shouldStartOnTheOperatorsResponsibilityOnce() throws IOException {
        vote();
        appendBlock();
        delete(directory.resolve("log"));

        start(true);

        assertThat(accepted).containsExactly("but the archive ends at block 1");
        assertThat(neverVoted().file()).doesNotExist();
        assertThatCode(() -> start(false)).as("the log has a record since").doesNotThrowAnyException();
        assertThat(accepted).hasSize(1);
        delete(directory.resolve("log"));
        refuses("but the archive ends at block 1");
    }

    @Test
    void shouldTakeTheOperatorsWordForAKeyWithoutItsMark() throws IOException {
        Files.delete(neverVoted().file());

        start(true);

        assertThat(accepted).containsExactly(neverVotedIsAbsent());
        assertThatCode(() -> start(false)).doesNotThrowAnyException();
    }

    private void refuses(String fact) {
        refuses(fact, "Restore replica-log/");
    }

    /** Twice: the first attempt must leave nothing that lets the second one pass. */
    private void refuses(String fact, String wayOut) {
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> start(false))
                    .isInstanceOf(LostReplicaLogException.class)
                    .hasMessageContaining("replica-log/ has no record, " + fact)
                    .hasMessageContaining("the chain can fork")
                    .hasMessageContaining(wayOut)
                    .hasMessageContaining("--accept-lost-replica-log");
        }
    }

    private String neverVotedIsAbsent() {
        return "and nothing shows that its key has never voted: there is no "
                + neverVoted().file();
    }

    /** Leaves a directory as the maker of the key does. */
    private void makeNew() throws IOException {
        for (String part : List.of("log", "mark", "archive")) {
            if (Files.exists(directory.resolve(part))) {
                delete(directory.resolve(part));
            }
        }
        Files.deleteIfExists(neverVoted().file());
        neverVoted().write();
    }

    private NeverVotedMark neverVoted() {
        return NeverVotedMark.of(directory.resolve("node.key"), KEY);
    }

    private List<ReplicaRecord> records() {
        try (ReplicaLog log = log()) {
            return log.records();
        }
    }

    private void start(boolean isLossAccepted) {
        try (ReplicaLog log = log();
                VoteMark mark = mark();
                BlockArchive archive = archive()) {
            new VoteRecords(log, mark, neverVoted(), archive, new Sink()).require(isLossAccepted, new NoEvents() {
                @Override
                public void replicaLogLossAccepted(String fact) {
                    accepted.add(fact);
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
