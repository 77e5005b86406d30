package io.sealbook.node.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A follower that verifies signatures judges a block by the keys that the blocks before it have added. */
class FollowedMembershipTest {
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");

    private final TestMembers members = new TestMembers();
    private final Signer second = Signers.generate(SignatureScheme.SM2_SM3);
    private final byte[] order = members.orderBatch(2, second, 7);
    private final byte[] addKey =
            members.batch(BatchPosition.first(1), members.transaction(1, TestMembers.addKey(2, second), 0, 1, 2));

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    @Test
    void shouldTakeOrdersUnderAKeyThatAHeldBlockAdds() {
        FollowedChain chain = chain(false);
        List<Block> blocks = blocks(addKey, order);

        assertThat(chain.onBlock(blocks.get(0).bytes())).isEmpty();
        assertThat(chain.onBlock(blocks.get(1).bytes())).isEmpty();
        chain.restart();
        assertThat(chain.onBlock(blocks.get(0).bytes())).isEmpty();
        assertThat(chain.onBlock(blocks.get(1).bytes())).isEmpty();
    }

    @Test
    void shouldTakeOrdersUnderAKeyThatAConfirmedBlockAdds() {
        FollowedChain chain = chain(true);
        List<Block> blocks = blocks(addKey, order);

        assertThat(chain.onBlock(blocks.get(0).bytes())).isEmpty();
        assertThat(chain.confirmedEnd()).isEqualTo(1);
        assertThat(chain.onBlock(blocks.get(1).bytes())).isEmpty();
        assertThat(chain.confirmedEnd()).isEqualTo(2);
    }

    @Test
    void shouldForgetAKeyWithTheBlocksOfASource() {
        FollowedChain chain = chain(false);
        List<Block> other = blocks(members.batch(BatchPosition.first(1), new byte[] {1}), order);
        assertThat(chain.onBlock(blocks(addKey).get(0).bytes())).isEmpty();
        chain.restart();

        assertThat(chain.onBlock(other.get(0).bytes())).isEmpty();
        assertThat(chain.onBlock(other.get(1).bytes()))
                .hasValue("block 2: batch 0 names no known key: broker 1, key 2");
    }

    @Test
    void shouldRefuseAKeyOfTheSameBlock() {
        assertThat(chain(false).onBlock(block(1, Digest.ZERO, 0, addKey, order).bytes()))
                .hasValue("block 1: batch 1 names no known key: broker 1, key 2");
    }

    @Test
    void shouldRefuseAForgedAdministrativeBatch() {
        byte[] forged = addKey.clone();
        forged[forged.length - 9] ^= 1;

        assertThat(chain(true).onBlock(blocks(forged).get(0).bytes()))
                .hasValue("block 1: batch 0 is not signed by its proposer");
    }

    private FollowedChain chain(boolean isSourceTrusted) {
        FollowedChain chain = new FollowedChain(
                new FollowTerms(isSourceTrusted, 1 << 20),
                new BlockJudge(Optional.of(new BrokerSignatures(VERIFIER))),
                VERIFIER);
        chain.beginAfter(LastBlock.none(Digest.ZERO), new ChainEpochs(members.genesis()), 0);
        return chain;
    }

    private static List<Block> blocks(byte[]... batches) {
        List<Block> blocks = new ArrayList<>();
        for (byte[] batch : batches) {
            Digest previous = blocks.isEmpty() ? Digest.ZERO : blocks.getLast().hash();
            long administrationBlock = blocks.isEmpty() ? 0 : blocks.getLast().lastAdministrationBlock();
            blocks.add(block(blocks.size() + 1, previous, administrationBlock, batch));
        }
        return blocks;
    }

    /** Its time is that of the block before, so that its proposal is not verified. */
    private static Block block(long sequence, Digest previous, long administrationBlock, byte[]... batches) {
        BlockBuilder builder = new BlockBuilder().begin(sequence, 0, 0, Digest.ZERO, previous, administrationBlock);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), 0, batch, 0, batch.length);
        }
        return builder.buildBlock();
    }
}
