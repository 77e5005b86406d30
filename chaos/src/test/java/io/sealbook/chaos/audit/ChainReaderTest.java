package io.sealbook.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.chaos.history.BatchName;
import io.sealbook.chaos.history.BatchPlace;
import io.sealbook.chaos.history.ChainBatch;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainReaderTest {
    private static final SeededOrders ORDERS = SampleArchive.ORDERS;
    private static final int BLOCKS = SampleArchive.BLOCKS;

    @TempDir
    private Path directory;

    private final Findings findings = new Findings();
    private final SampleArchive archives = new SampleArchive();

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

    @Test
    void shouldFindADamagedBlockAndReadItFromAnotherArchive() throws IOException {
        Path damaged = archive("a", BLOCKS, 0);
        SampleArchive.damage(damaged, 2);

        List<ChainBatch> chain = ChainReader.read(List.of(damaged, archive("b", BLOCKS, 0)), findings);

        assertThat(findings.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.SAME_EVERYWHERE);
            assertThat(violation.facts())
                    .contains(
                            "block 2 differs: " + damaged + " cannot read it (block 2: block damaged in",
                            directory.resolve("b") + " has ");
        });
        assertThat(chain).extracting(batch -> batch.place().block()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldFindADamagedBlockOfTheOnlyArchive() throws IOException {
        Path damaged = archive("a", BLOCKS, 0);
        SampleArchive.damage(damaged, 1);

        List<ChainBatch> chain = ChainReader.read(List.of(damaged), findings);

        assertThat(findings.counts()).containsEntry(Rule.SAME_EVERYWHERE, 1);
        assertThat(chain).extracting(batch -> batch.place().block()).containsExactly(2L, 3L);
    }

    @Test
    void shouldFindAnArchiveThatCannotBeOpened() {
        List<ChainBatch> chain = ChainReader.read(List.of(directory.resolve("a"), archive("b", BLOCKS, 0)), findings);

        assertThat(findings.violations())
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.facts()).contains(directory.resolve("a") + " cannot be opened"));
        assertThat(chain).hasSize(BLOCKS);
    }

    private Path archive(String name, int blocks, long timeNs) {
        return archives.write(directory.resolve(name), blocks, timeNs);
    }
}
