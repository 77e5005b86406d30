package io.sealbook.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.chaos.history.BatchName;
import io.sealbook.chaos.history.BatchPlace;
import io.sealbook.chaos.history.ChainBatch;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainReaderTest {
    private static final Digest GENESIS = Digest.ZERO;
    private static final SeededOrders ORDERS = new SeededOrders(5, 2, 3);
    private static final int BLOCKS = 3;

    @TempDir
    private Path directory;

    private final Findings findings = new Findings();
    private final List<SealedBatch> batches;

    ChainReaderTest() {
        BatchSealer sealer = new BatchSealer(
                1, 2, 1, SigningKey.generate(SignatureScheme.SM2_SM3).signer(), 256, BatchPosition.first(0));
        batches = LongStream.rangeClosed(1, BLOCKS)
                .mapToObj(number -> sealer.seal(ORDERS.batch(number), 1_000, number))
                .toList();
    }

    @Test
    void shouldReadTheBatchesOfEqualArchives() {
        List<ChainBatch> chain = ChainReader.read(List.of(archive("a", BLOCKS, 0), archive("b", BLOCKS, 0)), findings);

        assertThat(findings.violations()).isEmpty();
        assertThat(chain).hasSize(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(chain.get(i).place()).isEqualTo(new BatchPlace(i + 1, 0));
            assertThat(chain.get(i).name()).isEqualTo(new BatchName(2, 0, i + 1));
            assertThat(chain.get(i).orders()).isEqualTo(ORDERS.batch(i + 1));
        }
    }

    @Test
    void shouldFindABlockOfOtherBytes() {
        ChainReader.read(List.of(archive("a", BLOCKS, 0), archive("b", BLOCKS, 1)), findings);

        assertThat(findings.violations())
                .hasSize(BLOCKS)
                .allSatisfy(violation -> assertThat(violation.rule()).isEqualTo(Rule.SAME_EVERYWHERE));
    }

    @Test
    void shouldFindABlockThatAnArchiveLacks() {
        ChainReader.read(List.of(archive("a", BLOCKS - 1, 0), archive("b", BLOCKS, 0)), findings);

        assertThat(findings.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.facts())
                        .contains("block 3 differs", directory.resolve("a") + " lacks it"));
    }

    /** Writes a chain of one batch per block; archives of another time differ in each block. */
    private Path archive(String name, int blocks, long timeNs) {
        Path archive = directory.resolve(name);
        try (BlockArchive writer = BlockArchive.open(archive, new ArchiveConfig(GENESIS, 64, Durability.PROCESS))) {
            Digest previous = GENESIS;
            for (int i = 0; i < blocks; i++) {
                byte[] signed = batches.get(i).signedBytes();
                var block = new BlockBuilder()
                        .begin(i + 1, 0, timeNs + i, Digest.ZERO, previous)
                        .add(Digest.of(batches.get(i).batchId()), i, signed, 0, signed.length)
                        .buildBlock();
                writer.append(block.bytes());
                previous = block.hash();
            }
        }
        return archive;
    }
}
