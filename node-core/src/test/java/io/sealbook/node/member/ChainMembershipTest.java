package io.sealbook.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The membership that blocks make, and that a restart finds again in the archive. */
class ChainMembershipTest {
    private static final int PROPOSER = 2;
    private static final int BLOCKS_PER_SEGMENT = 2;

    @TempDir
    private Path directory;

    private final TestMembers members = new TestMembers();
    private final List<TransactionFate> fates = new ArrayList<>();
    private final ChainMembership membership = new ChainMembership(members.genesis(), fates::add);
    private BatchPosition next = BatchPosition.first(PROPOSER);
    private Digest last = Digest.ZERO;
    private long lastAdministration;
    private long sequence;

    @Test
    void shouldExecuteTransactionsInTheOrderOfBlocksAndBatches() {
        apply(transaction(5, TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        assertThat(membership.membership().number()).isZero();

        apply(
                transaction(1, TestMembers.addKey(2, Signers.generate(SignatureScheme.SM2_SM3))),
                transaction(2, TestMembers.revokeKey(1)));
        assertThat(membership.membership().number()).isEqualTo(2);
        assertThat(membership
                        .membership()
                        .key(TestMembers.BROKER, 1)
                        .orElseThrow()
                        .untilBlock())
                .isEqualTo(2);
        assertThat(membership
                        .membership()
                        .key(TestMembers.BROKER, 2)
                        .orElseThrow()
                        .fromBlock())
                .isEqualTo(3);

        apply(transaction(2, TestMembers.status(InstrumentStatus.INSTRUMENT_HALTED)));
        assertThat(membership.membership().number()).isEqualTo(2);

        assertThat(fates).extracting(TransactionFate::block).containsExactly(1L, 2L, 2L, 3L);
        assertThat(fates).extracting(TransactionFate::number).containsExactly(5L, 1L, 2L, 2L);
        assertThat(fates).extracting(fate -> fate.refusal().isEmpty()).containsExactly(false, true, true, false);
        assertThat(fates).allSatisfy(fate -> assertThat(fate.proposer()).isEqualTo(PROPOSER));
        assertThat(fates.get(3).refusal()).isEqualTo("transaction 2, expected 3");
        assertThat(membership.present().recent()).isEqualTo(fates);
        assertThat(membership.present().block()).isEqualTo(3);
    }

    @Test
    void shouldTellOfChangesOnly() {
        List<Long> numbers = new ArrayList<>();
        membership.onChange(changed -> numbers.add(changed.number()));

        apply(transaction(1, TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        apply(transaction(1, TestMembers.status(BrokerStatus.BROKER_ACTIVE)));
        apply(transaction(2, TestMembers.status(BrokerStatus.BROKER_ACTIVE)));

        assertThat(numbers).containsExactly(1L, 2L);
    }

    @Test
    void shouldKeepTheFatesOfTheLastTransactions() {
        for (int i = 0; i < ChainMembership.RECENT_MAX + 3; i++) {
            apply(transaction(99, TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        }

        assertThat(membership.present().recent()).hasSize(ChainMembership.RECENT_MAX);
        assertThat(membership.present().recent().getLast().block()).isEqualTo(sequence);
    }

    /** A chain that is twice as long has room for as many again; what is executed does not count. */
    @Test
    void shouldLetAMemberWaitForLongerAndLongerChains() {
        apply(transaction(1, TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        for (int i = 1; i < RefusedTransactions.PER_DOUBLING; i++) {
            apply(transaction(99, TestMembers.status(BrokerStatus.BROKER_ACTIVE)));
        }
        assertThat(membership.blockBeforeNextTransaction(PROPOSER)).isZero();

        long expected = 1;
        for (int doubling = 0; doubling < 20; doubling++) {
            for (int i = 0; i < RefusedTransactions.PER_DOUBLING; i++) {
                apply(transaction(99, TestMembers.status(BrokerStatus.BROKER_ACTIVE)));
            }
            assertThat(membership.blockBeforeNextTransaction(PROPOSER)).isEqualTo(expected);
            expected *= 2;
        }
        assertThat(membership.blockBeforeNextTransaction(PROPOSER + 1)).isZero();
    }

    /** Whoever takes the place of a member is not to blame for what it did. */
    @Test
    void shouldLetAMemberWithAnotherKeyBeginAnew() {
        for (int i = 0; i < 2 * RefusedTransactions.PER_DOUBLING; i++) {
            apply(transaction(99, TestMembers.status(BrokerStatus.BROKER_ACTIVE)));
        }
        apply(transaction(1, TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        assertThat(membership.blockBeforeNextTransaction(PROPOSER)).isEqualTo(2);

        apply(transaction(2, TestMembers.replaceNode(PROPOSER, Signers.generate(SignatureScheme.SM2_SM3))));

        assertThat(membership.membership().number()).isEqualTo(2);
        assertThat(membership.blockBeforeNextTransaction(PROPOSER)).isZero();
    }

    /** Whatever the process did after the block was in the archive: it is all that the next start has. */
    @Test
    void shouldFindTheSameInTheArchiveAfterEachBlock() {
        try (BlockArchive archive = archive()) {
            for (int i = 1; i <= 3; i++) {
                archive.append(apply());
                expectRestored(archive);
                archive.append(apply(transaction(2 * i - 1, TestMembers.status(BrokerStatus.BROKER_SUSPENDED))));
                expectRestored(archive);
                archive.append(apply(
                        transaction(2 * i, TestMembers.status(BrokerStatus.BROKER_ACTIVE)),
                        transaction(77, TestMembers.status(BrokerStatus.BROKER_REMOVED))));
                expectRestored(archive);
            }
        }
        assertThat(membership.membership().number()).isEqualTo(6);
        try (BlockArchive archive = archive()) {
            expectRestored(archive);
        }
    }

    @Test
    void shouldFindInTheArchiveHowManyWereRefused() {
        try (BlockArchive archive = archive()) {
            for (int i = 0; i < RefusedTransactions.PER_DOUBLING; i++) {
                archive.append(apply(transaction(99, TestMembers.status(BrokerStatus.BROKER_ACTIVE))));
            }
            assertThat(membership.blockBeforeNextTransaction(PROPOSER)).isEqualTo(1);
            expectRestored(archive);
        }
    }

    private void expectRestored(BlockArchive archive) {
        ChainMembership restored = new ChainMembership(members.genesis(), fate -> {
            throw new AssertionError("told again of " + fate);
        });
        restored.restore(archive, List.of());

        assertThat(restored.membership().number())
                .isEqualTo(membership.membership().number());
        assertThat(restored.membership().digest())
                .isEqualTo(membership.membership().digest());
        assertThat(restored.membership().terms())
                .isEqualTo(membership.membership().terms());
        assertThat(restored.present().recent()).isEqualTo(membership.present().recent());
        assertThat(restored.present().block()).isEqualTo(membership.present().block());
        assertThat(restored.blockBeforeNextTransaction(PROPOSER))
                .isEqualTo(membership.blockBeforeNextTransaction(PROPOSER));
    }

    private BlockArchive archive() {
        return BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS));
    }

    private byte[] transaction(long number, Change change) {
        byte[] batch = members.batch(next, members.transaction(number, change, 0, 1, 3));
        next = next.after(BatchId.of(batch));
        return batch;
    }

    private Block apply(byte[]... batches) {
        sequence++;
        Block block = TestMembers.block(sequence, last, lastAdministration, batches);
        last = block.hash();
        lastAdministration = block.lastAdministrationBlock();
        membership.apply(block, new HeadersInPlace(block));
        return block;
    }
}
