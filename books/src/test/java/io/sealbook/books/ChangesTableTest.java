package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three blocks with administrative batches, of which one was refused. */
class ChangesTableTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void writeNode() {
        GenesisFile genesis = TestMarket.write(directory, List.of(1, 2, 3, 4));
        try (BlockArchive archive = BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS))) {
            append(
                    archive,
                    TestAdministration.batch(
                            1,
                            TestAdministration.setBroker(2, BrokerStatus.BROKER_SUSPENDED),
                            TestAdministration.setInstrument(1, InstrumentStatus.INSTRUMENT_HALTED)));
            append(archive, TestAdministration.batch(3, TestAdministration.setQuota(1, 5)));
            append(archive, TestAdministration.batch(2, TestAdministration.setBroker(2, BrokerStatus.BROKER_ACTIVE)));
        }
    }

    private static void append(BlockArchive archive, byte[] batch) {
        long sequence = archive.lastSequence() + 1;
        long administrationBlock = archive.read(sequence - 1)
                .map(Block::wrap)
                .map(Block::lastAdministrationBlock)
                .orElse(0L);
        archive.append(new BlockBuilder()
                .begin(sequence, 0, sequence, Digest.ZERO, archive.lastHash(), administrationBlock)
                .add(BatchId.of(batch), sequence, batch, 0, batch.length)
                .build());
    }

    @Test
    void shouldShowEachChangeAndWhatWasRefused() {
        assertThat(sql("SELECT block, transaction, change, description, approvers, refusal FROM changes"))
                .containsExactly(
                        "block\ttransaction\tchange\tdescription\tapprovers\trefusal",
                        "1\t1\t0\tbroker 2 suspended\t0, 1, 2\t",
                        "1\t1\t1\tinstrument 1 halted\t0, 1, 2\t",
                        "2\t3\t0\tquota of broker 1 set to 5\t0, 1, 2\ttransaction 3, expected 2",
                        "3\t2\t0\tbroker 2 active\t0, 1, 2\t");
    }

    @Test
    void shouldKnowWhatWasBeforeARange() {
        assertThat(sql("SELECT block, refusal FROM changes(from_block := 3)")).containsExactly("block\trefusal", "3\t");
        assertThat(sql("SELECT count(*) FROM changes(to_block := 1)")).contains("2");
    }

    /** A member writes the reason of a transaction. */
    @Test
    void shouldPrintARowInOneLineWhateverItsTexts() {
        assertThat(sql("SELECT 1 AS block, 'a' || chr(10) || '9' || chr(9) || 'b' || chr(13) || 'c\\d' || chr(27)"
                        + " || '[2J' || chr(155) || chr(8232) || 'é' AS reason"))
                .containsExactly("block\treason", "1\ta\\n9\\tb\\rc\\\\d\\u001b[2J\\u009b\\u2028é");
    }

    @Test
    void shouldShowTheBatchWithoutOrders() {
        assertThat(sql("SELECT broker_id, session, orders FROM batches WHERE block = 1"))
                .containsExactly("broker_id\tsession\torders", "4294967295\t0\t0");
        assertThat(sql("SELECT count(*) FROM entries")).contains("0");
    }

    private List<String> sql(String statement) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = {"sql", directory.toString(), statement};
        assertThat(BooksTool.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments))
                .as("%s: %s", statement, err)
                .isZero();
        return out.toString().lines().toList();
    }
}
