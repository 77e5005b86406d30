package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator who hides or invents blocks: {@code verify} must notice. The checkpoint interval is 16 blocks. */
class ForgedArchiveTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final Random random = new Random(7);
    private Path archive;
    private Path genesis;

    @BeforeEach
    void writeGenesis() throws IOException {
        archive = directory.resolve("archive");
        genesis = Files.write(directory.resolve("genesis.json"), CHAIN.genesisJson());
    }

    @Test
    void shouldRefuseChainOfRandomBytesOnPublicGenesisDigest() {
        forge(50);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "certified none of 50",
                        "uncertified 1..50",
                        "fault blocks 1..50 are certified by nothing: 50 blocks, expected at most 15");
    }

    @Test
    void shouldRefuseBatchesThatNobodySignedInAShortTail() {
        forge(15);

        assertThat(verify("--allow-uncertified-tail")).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "certified none of 15",
                        "uncertified 1..15",
                        "fault block 1: batch 0 is no batch of orders",
                        "faults 15");
    }

    @Test
    void shouldRefuseForgedTailAfterRealArchive() {
        CHAIN.writeTo(archive);
        forge(50);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "certified 1..8 of 60",
                        "uncertified 9..60",
                        "fault blocks 9..60 are certified by nothing: 52 blocks, expected at most 15");
        assertThat(verify("--allow-uncertified-tail")).isEqualTo(1);
        assertThat(verify("--allow-uncertified-tail=52")).isEqualTo(1);
        assertThat(lines()).contains("uncertified 9..60", "fault block 60: batch 0 is no batch of orders", "faults 50");
    }

    @Test
    void shouldAcceptNoBlockAfterTheLastCertificateIfAskedTo() {
        CHAIN.writeTo(archive);

        assertThat(verify("--allow-uncertified-tail=1")).isEqualTo(1);
        assertThat(verify("--allow-uncertified-tail=2")).isZero();
        assertThat(verify("--allow-uncertified-tail=0")).isEqualTo(1);
    }

    /** The block keeps its hash: nothing but the check of the signature itself can notice. */
    @Test
    void shouldRefuseSignatureThatIsNotTheBrokers() {
        try (BlockArchive target = BlockArchive.open(archive, CHAIN.config())) {
            for (int sequence = 1; sequence <= 8; sequence++) {
                target.append(sequence == 6 ? withOtherSignature(CHAIN.block(6), 3) : CHAIN.block(sequence));
            }
            target.putCertificate(CHAIN.certificate(8, 0, 1, 3));
        }

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains("certified 1..8 of 8", "fault block 6: batch 3 is not signed by its broker", "faults 1");
    }

    /** No hash and no signature covers the times of a block's table. */
    @Test
    void shouldRefuseATimeThatIsNotTheBlocks() {
        try (BlockArchive target = BlockArchive.open(archive, CHAIN.config())) {
            for (int sequence = 1; sequence <= 8; sequence++) {
                target.append(sequence == 6 ? withOtherTime(CHAIN.block(6)) : CHAIN.block(sequence));
            }
            target.putCertificate(CHAIN.certificate(8, 0, 1, 3));
        }

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "certified 1..8 of 8", "fault block 6: the time beside a batch is not the block's", "faults 1");
    }

    private static Block withOtherTime(Block block) {
        Block changed = Block.wrap(block.bytes().clone());
        int last = BlockHeader.LENGTH + (block.batchCount() - 1) * 48 + 32;
        changed.array()[last] ^= 1;
        assertThat(changed.arrivalTimeNs(block.batchCount() - 1)).isNotEqualTo(block.arrivalTimeNs(0));
        return changed;
    }

    private static Block withOtherSignature(Block block, int changed) {
        BlockBuilder builder = new BlockBuilder()
                .begin(
                        block.header().sequence(),
                        block.header().view(),
                        block.header().blockTimeNs(),
                        block.header().proposalDigest(),
                        block.header().previousHash());
        for (int i = 0; i < block.batchCount(); i++) {
            byte[] batch = Arrays.copyOfRange(
                    block.array(), block.batchOffset(i), block.batchOffset(i) + block.batchLength(i));
            batch[batch.length - 20] ^= (byte) (i == changed ? 1 : 0);
            builder.add(block.batchId(i), block.arrivalTimeNs(i), batch, 0, batch.length);
        }
        return builder.buildBlock();
    }

    @Test
    void shouldPassArchiveThatIsCertifiedToItsEnd() {
        write(8, 4, 8);

        assertThat(verify()).isZero();
        assertThat(lines()).contains("certified 1..8 of 8", "faults 0").noneMatch(line -> line.startsWith("uncert"));
    }

    @Test
    void shouldRefuseArchiveThatHasLostItsEnd() throws IOException {
        CHAIN.writeTo(archive);
        Files.delete(segment(9));
        Files.delete(segment(5));

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains("certified 1..4 of 4", "fault certificate 8: the archive ends with block 4", "faults 1");
        assertThat(verify("--allow-uncertified-tail", "--durability=process")).isEqualTo(1);
    }

    @Test
    void shouldRefuseArchiveThatHasLostItsBeginningUnlessAsked() throws IOException {
        write(8, 4, 8);
        Files.delete(segment(1));

        assertThat(verify()).isEqualTo(1);
        assertThat(lines()).contains("fault blocks 1..4 are not here", "certified 5..8 of 8");
        assertThat(verify("--from=5")).isZero();
        assertThat(verify("--from=4")).isEqualTo(1);
    }

    @Test
    void shouldRefuseBlocksInAnotherOrder() throws IOException {
        write(8, 4, 8);
        byte[] first = Files.readAllBytes(segment(1));
        byte[] second = Files.readAllBytes(segment(5));
        // Heads stay, with their marks; indexes and records change places.
        int head = 96;
        Files.write(segment(1), concatenate(Arrays.copyOf(first, head), second, head));
        Files.write(segment(5), concatenate(Arrays.copyOf(second, head), first, head));

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains("blocks 0", "certified none of 8")
                .anyMatch(line -> line.startsWith("fault block 1: index entry damaged"));
    }

    @Test
    void shouldNameLastBlockOfClosedSegmentThatHasChanged() throws IOException {
        write(8, 4, 8);
        byte[] bytes = Files.readAllBytes(segment(5));
        bytes[bytes.length - 1] ^= 1;
        Files.write(segment(5), bytes);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("fault block 8: block damaged"))
                .contains("blocks 7");
    }

    @Test
    void shouldRefuseCertificatesInAnotherOrder() throws IOException {
        write(8, 4, 8);
        Path log = archive.resolve("certificates.log");
        byte[] bytes = Files.readAllBytes(log);
        int head = 48;
        int record = (bytes.length - head) / 2;
        byte[] swapped = bytes.clone();
        System.arraycopy(bytes, head, swapped, head + record, record);
        System.arraycopy(bytes, head + record, swapped, head, record);
        Files.write(log, swapped);

        StringWriter err = new StringWriter();
        assertThat(ArchiveTool.run(new PrintWriter(out), new PrintWriter(err), "verify", archive.toString()))
                .isEqualTo(3);
        assertThat(err.toString()).contains("certificate 4 at offset", "comes after certificate 8");
    }

    @Test
    void shouldRefuseCertificatesOfAnotherChain() {
        CertifiedChain other = new CertifiedChain(2);
        try (BlockArchive target = BlockArchive.open(archive, CHAIN.config())) {
            for (int sequence = 1; sequence <= 3; sequence++) {
                target.append(CHAIN.block(sequence));
            }
            // Their blocks are not here, so that the archive takes them as they come.
            target.putCertificate(other.certificate(4, 0, 1, 3));
            target.append(CHAIN.block(4));
            target.putCertificate(CHAIN.certificate(8, 0, 1));
            for (int sequence = 5; sequence <= 8; sequence++) {
                target.append(CHAIN.block(sequence));
            }
        }

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("fault certificate 4: chain hash "))
                .contains(
                        "fault certificate 8: valid signatures of nodes [0, 1], expected of 3 nodes",
                        "certified none of 8",
                        "faults 2");
    }

    @Test
    void shouldRefuseLastBlockThatHasChanged() throws IOException {
        write(10, 4, 8);
        byte[] whole = Files.readAllBytes(segment(9));
        int block = whole.length - CHAIN.block(10).length();
        for (int at = block - 32; at < whole.length; at += at < block ? 8 : 163) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(segment(9), flipped);

            assertThat(verify("--allow-uncertified-tail")).as("byte %d", at).isEqualTo(1);
            assertThat(lines()).anyMatch(line -> line.startsWith("fault " + segment(9) + ": "));
            assertThat(verify("--allow-uncertified-tail", "--durability=disk")).isEqualTo(1);
            assertThat(verify("--allow-uncertified-tail", "--durability=process"))
                    .isZero();
        }
    }

    @Test
    void shouldRefuseLastBlockThatTheIndexNamesAndTheFileLacks() throws IOException {
        write(10, 4, 8);
        try (BlockArchive node = BlockArchive.open(archive, CHAIN.config())) {
            node.putExecutionTime(10, 11_000_000_000L);
        }
        shorten(segment(9), CHAIN.block(10).length() + 32);

        assertThat(verify("--allow-uncertified-tail")).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault block 10: the index of " + segment(9)));
    }

    @Test
    void shouldRefuseLastBlockThatACertificateNamesAndTheFileLacks() throws IOException {
        write(10, 4, 8, 10);
        assertThat(verify()).isZero();
        shorten(segment(9), 1);

        assertThat(verify("--allow-uncertified-tail", "--durability=process")).isEqualTo(1);
        assertThat(lines()).contains("fault certificate 10: the archive ends with block 9");
    }

    @Test
    void shouldTakeWhatAKilledProcessLeavesAsSuch() throws IOException {
        write(10, 4, 8);
        shorten(segment(9), 1);
        Files.write(archive.resolve(segment(13).getFileName() + ".unfinished"), new byte[10]);
        Files.write(archive.resolve("certificates.log"), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);

        assertThat(verify("--allow-uncertified-tail")).isZero();
        assertThat(lines())
                .anyMatch(line -> line.startsWith("note " + segment(9) + ": ") && line.endsWith("start of block 10"))
                .anyMatch(line -> line.startsWith("note " + segment(13) + ".unfinished"))
                .anyMatch(line -> line.startsWith("note " + archive.resolve("certificates.log") + ": 3 bytes"));
    }

    @Test
    void shouldNameLastCertificateThatHasChanged() throws IOException {
        write(10, 4, 8);
        Path log = archive.resolve("certificates.log");
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length - 9] ^= 1;
        Files.write(log, bytes);

        assertThat(verify("--allow-uncertified-tail")).isEqualTo(1);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("fault " + log + ": "))
                .contains("certified 1..4 of 10");
    }

    @Test
    void shouldChangeNothing() throws IOException {
        write(10, 4, 8);
        shorten(segment(9), 1);
        Files.write(archive.resolve(segment(13).getFileName() + ".unfinished"), new byte[10]);
        Files.write(archive.resolve("certificates.log"), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        List<String> before = contents();

        verify();
        ArchiveTool.run(new PrintWriter(out), new PrintWriter(out), "describe", archive.toString());
        ArchiveTool.run(new PrintWriter(out), new PrintWriter(out), "dump", archive.toString());

        assertThat(contents()).isEqualTo(before);
    }

    private List<String> contents() throws IOException {
        try (var files = Files.list(archive)) {
            return files.sorted()
                    .map(file -> {
                        try {
                            return file + " " + Files.getLastModifiedTime(file) + " "
                                    + Arrays.hashCode(Files.readAllBytes(file));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .toList();
        }
    }

    /** Writes the first blocks of the chain and certificates by nodes 0, 1 and 3. */
    private void write(int blocks, int... certified) {
        try (BlockArchive target = BlockArchive.open(archive, CHAIN.config())) {
            for (int sequence = 1; sequence <= blocks; sequence++) {
                target.append(CHAIN.block(sequence));
            }
            for (int sequence : certified) {
                target.putCertificate(CHAIN.certificate(sequence, 0, 1, 3));
            }
        }
    }

    /** Appends well-formed blocks whose batches are random bytes. */
    private void forge(int count) {
        try (BlockArchive target = BlockArchive.open(archive, CHAIN.config())) {
            for (int i = 0; i < count; i++) {
                byte[] batch = new byte[165];
                random.nextBytes(batch);
                long sequence = target.lastSequence() + 1;
                byte[] block = new BlockBuilder()
                        .begin(sequence, 0, 1_000_000_000L * sequence, Digest.ZERO, target.lastHash())
                        .add(BatchId.of(batch), 1_000_000_000L * sequence, batch, 0, batch.length)
                        .build();
                target.append(block);
            }
        }
    }

    private int verify(String... options) {
        out.getBuffer().setLength(0);
        String[] arguments = {"verify", archive.toString(), "--genesis", genesis.toString()};
        String[] all = Arrays.copyOf(arguments, arguments.length + options.length);
        System.arraycopy(options, 0, all, arguments.length, options.length);
        return ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(out, true), all);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    private Path segment(long first) {
        return archive.resolve(String.format("segment-%019d.blocks", first));
    }

    private static void shorten(Path file, int bytes) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - bytes));
    }

    private static byte[] concatenate(byte[] head, byte[] rest, int from) {
        byte[] all = Arrays.copyOf(head, head.length + rest.length - from);
        System.arraycopy(rest, from, all, head.length, rest.length - from);
        return all;
    }
}
