package io.sealbook.archive.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.ForwardedBlocks;
import io.sealbook.archive.UncheckedArchive;
import io.sealbook.crypto.Signer;
import io.sealbook.membership.KeyTerm;
import io.sealbook.membership.Membership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipHistoryTest {
    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(1);

    @Test
    void shouldBeTheGenesisFilesBeforeTheFirstTransaction() {
        assertThat(asOf(1).membership().digest())
                .isEqualTo(Membership.of(chain.genesis()).digest());
        chain.appendOrders(3);

        assertThat(atEnd().membership().number()).isZero();
        assertThat(atEnd().block()).isEqualTo(4);
        assertThat(atEnd().entries()).isEmpty();
    }

    @Test
    void shouldCountFromTheBlockAfterTheTransaction() {
        Signer second = chain.newKey();
        chain.appendOrders(2);
        chain.append(chain.orders(1), chain.transaction(1, ChangingChain.addKey(1, 2, second)));
        chain.appendOrders(2);
        chain.append(chain.transaction(2, ChangingChain.revokeKey(1, 1)));
        chain.appendOrders(2);

        assertThat(key(3, 1, 2)).isEmpty();
        assertThat(key(4, 1, 2)).hasValueSatisfying(key -> {
            assertThat(key.key()).isEqualTo(second.verificationKey());
            assertThat(key.isInEffect(4)).isTrue();
            assertThat(key.isInEffect(3)).isFalse();
        });
        assertThat(key(6, 1, 1))
                .hasValueSatisfying(key -> assertThat(key.untilBlock()).isZero());
        assertThat(key(7, 1, 1)).hasValueSatisfying(key -> {
            assertThat(key.isInEffect(6)).isTrue();
            assertThat(key.isInEffect(7)).isFalse();
        });
        assertThat(atEnd().entries())
                .extracting(entry -> entry.block() + " " + entry.batchIndex() + " " + entry.proposer() + " "
                        + entry.terms().getNumber() + " " + entry.approvers() + entry.refusal())
                .containsExactly("3 1 2 1 [0, 1, 3]", "6 0 2 2 [0, 1, 3]");
        assertThatThrownBy(() -> asOf(10)).hasMessage("block 10 is not here, blocks are 1..8");
    }

    @Test
    void shouldExecuteSeveralTransactionsOfABlockInTheirOrder() {
        chain.append(
                chain.transaction(2, ChangingChain.halt(false)),
                chain.transaction(1, ChangingChain.halt(true)),
                chain.transaction(2, ChangingChain.revokeKey(2, 1)),
                chain.proposed(1, new byte[] {-1, 1, 1}),
                chain.proposed(1, chain.approved(3, List.of(ChangingChain.halt(false)), 0, 1)));

        assertThat(atEnd().membership().number()).isEqualTo(2);
        assertThat(atEnd().entries())
                .extracting(AdministrativeEntry::isExecuted)
                .containsExactly(false, true, true, false, false);
        assertThat(atEnd().entries()).extracting(AdministrativeEntry::refusal).satisfies(refusals -> {
            assertThat(refusals.get(0)).isEqualTo("transaction 2, expected 1");
            assertThat(refusals.get(4)).isEqualTo("approved by nodes [0, 1], expected 3 nodes");
        });
        assertThat(atEnd().entries().get(3).terms().getNumber()).isZero();
    }

    @Test
    void shouldReadNothingButTheBlocksOfTransactions() {
        for (int i = 1; i <= 200; i++) {
            chain.append(chain.transaction(i, ChangingChain.halt(i % 2 == 1)));
            chain.appendOrders(1);
        }
        chain.writeTo(directory.resolve("archive"));
        try (ArchiveReader archive = ArchiveReader.open(directory.resolve("archive"))) {
            ForwardedBlocks counted = new ForwardedBlocks(archive);

            MembershipHistory.AsOf end = new MembershipHistory(counted, chain.genesis()).atEnd();

            assertThat(end.membership().number()).isEqualTo(200);
            assertThat(counted.read().stream().distinct())
                    .hasSize(201)
                    .allMatch(sequence -> sequence % 2 == 1 || sequence == 400);
            MembershipPass pass = new MembershipPass(Membership.of(chain.genesis()));
            for (int sequence = 1; sequence <= chain.length(); sequence++) {
                if (sequence == 200) {
                    assertThat(new MembershipHistory(archive, chain.genesis())
                                    .asOf(sequence)
                                    .membership()
                                    .digest())
                            .isEqualTo(pass.membership().digest());
                }
                pass.onBlock(chain.block(sequence));
            }
            assertThat(pass.membership().digest()).isEqualTo(end.membership().digest());
            assertThat(pass.membership().terms()).isEqualTo(end.membership().terms());
        }
    }

    /** Each of them may be full of orders, and a chain that lives for years has thousands. */
    @Test
    void shouldHoldOneBlockAtATime() {
        for (int i = 1; i <= 20; i++) {
            chain.append(chain.transaction(i, ChangingChain.halt(i % 2 == 1)));
        }
        chain.writeTo(directory.resolve("archive"));
        try (ArchiveReader archive = ArchiveReader.open(directory.resolve("archive"))) {
            ForwardedBlocks watched = new ForwardedBlocks(archive);
            AtomicInteger visited = new AtomicInteger();

            MembershipHistory.visitAdministrationBlocks(watched, chain.length() + 1, block -> {
                visited.incrementAndGet();
                assertThat(watched.heldCount()).as("blocks in memory").isLessThanOrEqualTo(3);
                assertThat(block.header().sequence()).isEqualTo(visited.get());
            });

            assertThat(visited).hasValue(20);
        }
    }

    @Test
    void shouldNameABlockThatHasBeenMovedAway() throws IOException {
        chain.appendOrders(1);
        chain.append(chain.transaction(1, ChangingChain.halt(true)));
        chain.appendOrders(2 * ChangingChain.BLOCKS_PER_SEGMENT);
        chain.writeTo(directory);
        Files.delete(directory.resolve(String.format("segment-%019d.blocks", 1)));

        try (ArchiveReader archive = ArchiveReader.open(directory)) {
            assertThatThrownBy(() -> new MembershipHistory(archive, chain.genesis()).atEnd())
                    .isInstanceOf(MembershipUnknownException.class)
                    .hasMessage("the membership as of block 131 needs block 2, which holds administrative batches and"
                            + " is not here; blocks are 65..130");
        }
    }

    @Test
    void shouldRefuseALinkToABlockWithoutTransactions() throws IOException {
        chain.appendOrders(2);
        chain.append(2, chain.orders(1));
        UncheckedArchive.write(directory, chain.config(), chain.blocks());

        try (ArchiveReader archive = ArchiveReader.open(directory)) {
            assertThatThrownBy(() -> new MembershipHistory(archive, chain.genesis()).atEnd())
                    .isInstanceOf(ChainViolationException.class)
                    .hasMessage("block 2 is named as administration block and holds no administrative batch");
        }
    }

    private Optional<KeyTerm> key(long block, int brokerId, int keyId) {
        return asOf(block).membership().key(brokerId, keyId);
    }

    private MembershipHistory.AsOf atEnd() {
        return asOf(chain.length() + 1);
    }

    private MembershipHistory.AsOf asOf(long block) {
        Path archive = directory.resolve("archive-" + chain.length());
        try (BlockArchive written = BlockArchive.open(archive, chain.config())) {
            for (byte[] bytes : chain.blocks()) {
                if (Block.wrap(bytes).header().sequence() > written.lastSequence()) {
                    written.append(bytes);
                }
            }
            return new MembershipHistory(written, chain.genesis()).asOf(block);
        }
    }
}
