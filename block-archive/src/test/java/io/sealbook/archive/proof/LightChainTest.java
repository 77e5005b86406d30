package io.sealbook.archive.proof;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.replaceNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verifier without blocks beside a chain that changes its nodes, and beside one that its nodes fork. */
class LightChainTest {
    private static final int SEED = 31;
    private static final SignatureVerifier VERIFIER = SignatureProviders.named(BouncyCastleProvider.NAME);

    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(SEED);
    private final LightChain light = new LightChain(chain.genesisFile(), VERIFIER);
    private int archives;

    @Test
    void shouldGoThroughEpochs() {
        chain.appendOrders(1);
        chain.certify();
        assertThat(light.advance(proof(chain))).isTrue();
        assertThat(light.known().throughBlock())
                .as("block 1 itself may be administrative")
                .isZero();
        assertThat(light.known().epochs().last().epoch()).isZero();

        chain.replace(1, 3);
        chain.append(chain.transaction(2, halt(true)));
        chain.replace(3, 0);
        chain.appendOrders(2);
        chain.certify();
        MembershipProof last = proof(chain);
        assertThat(light.advance(last)).isTrue();
        assertThat(light.known().throughBlock()).isEqualTo(5);
        assertThat(light.known().epochs().last().epoch()).isEqualTo(2);
        assertThat(light.newest()).contains(last);
        for (int block = 1; block <= 6; block++) {
            InclusionProof orders = new InclusionProver(archive(chain)).prove(block, 0, true);
            assertThat(new ProofVerifier(chain.genesisFile(), light.known(), VERIFIER).verify(orders))
                    .isInstanceOf(ProofVerdict.Proven.class);
        }
    }

    @Test
    void shouldCoverTheBlockThatEndsAnEpoch() {
        chain.replace(1, 3);
        assertThat(light.advance(proof(chain))).isTrue();
        assertThat(light.known().throughBlock()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatItKnowsBesideAnOlderProof() {
        chain.appendOrders(1);
        chain.certify();
        MembershipProof older = proof(chain);
        chain.replace(1, 3);
        chain.appendOrders(1);
        chain.certify();
        MembershipProof newer = proof(chain);

        light.advance(newer);
        assertThat(light.advance(older)).isFalse();
        assertThat(light.advance(newer)).isFalse();
        assertThat(light.newest()).contains(newer);
    }

    /** The same nodes certify two chains: with orders that differ, so that the last block does. */
    @Test
    void shouldRefuseTwoCertifiedBlocksOfOneNumber() {
        ChangingChain other = new ChangingChain(SEED);
        other.newKey();
        fork(chain, other);
        light.advance(proof(chain));

        assertFork(other, "block 1 with hash ");
    }

    /** They execute a transaction on one of them only, in a block that the other says has none. */
    @Test
    void shouldRefuseAChainThatHidesATransaction() {
        ChangingChain other = new ChangingChain(SEED);
        chain.append(chain.transaction(1, halt(true)));
        fork(chain, other);
        other.appendOrders(1);
        other.certify();
        light.advance(proof(chain));

        assertFork(other, "block 1 with administrative batches is certified, and so is block 2");
    }

    @Test
    void shouldRefuseATransactionThatTheKnownChainDoesNotHave() {
        ChangingChain other = new ChangingChain(SEED);
        chain.appendOrders(2);
        other.append(other.transaction(1, halt(true)));
        fork(chain, other);
        light.advance(proof(chain));

        assertFork(other, "block 1 with administrative batches is certified, and so is block 3");
    }

    /** Nodes 0, 1 and 3 had their keys replaced, and sign on with the old ones from a time before that. */
    @Test
    void shouldRefuseFormerNodesThatContradictWhatIsKnown() {
        ChangingChain former = new ChangingChain(SEED);
        chain.replace(1, 3);
        light.advance(proof(chain));
        former.appendOrders(1);
        former.certify();

        assertFork(former, "block 1 with administrative batches is certified, and so is block 1");
    }

    @Test
    void shouldTakeNothingThatDoesNotHold() {
        chain.appendOrders(1);
        chain.certify();
        light.advance(proof(chain));
        ChangingChain stranger = new ChangingChain(SEED + 1);
        stranger.appendOrders(5);
        stranger.certify();
        MembershipProof strange = proof(stranger);

        assertThatThrownBy(() -> light.advance(strange)).isInstanceOf(IllegalArgumentException.class);
        assertThat(light.newest().orElseThrow().tip().sequence()).isEqualTo(1);
    }

    /** One node of epoch 1 helps three of epoch 0: without the second transaction, nodes 0, 1 and 2 are a quorum. */
    @Test
    void shouldRefuseAProofThatLeavesOutATransactionThatIsKnown() {
        replaceWithTheSecondTransaction();
        MembershipProof whole = proof(chain);
        light.advance(whole);
        chain.appendOrders(1);
        chain.certify(0, 1, 2);

        MembershipProof stripped = without(1, proof(chain));
        assertThatThrownBy(() -> light.advance(stripped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("membership proof: it leaves out batch 1 of block 1, an administrative one that is known");
        assertThat(light.newest()).contains(whole);
        assertThat(light.known().epochs().last().epoch()).isEqualTo(1);

        assertThat(light.advance(proof(chain))).isTrue();
    }

    @Test
    void shouldTakeATransactionThatWasLeftOut() {
        replaceWithTheSecondTransaction();
        MembershipProof whole = proof(chain);
        assertThat(light.advance(without(1, whole))).isTrue();
        assertThat(light.known().epochs().last().epoch()).isZero();

        assertThat(light.advance(whole)).isTrue();

        assertThat(light.newest()).contains(whole);
        assertThat(light.known().epochs().last().epoch()).isEqualTo(1);
    }

    /** Blocks 1 and 2 hold transactions; the one that shows what was left out of block 1 ends there. */
    @Test
    void shouldCompleteANewerProofFromAnOlderOne() {
        replaceWithTheSecondTransaction();
        MembershipProof older = proof(chain);
        chain.append(chain.transaction(3, halt(false)));
        chain.certify(0, 1, 2);
        MembershipProof newer = proof(chain);
        light.advance(without(1, newer));

        assertThat(light.advance(older)).isTrue();

        assertThat(light.newest()).contains(newer);
        assertThat(light.known().epochs().last().number()).isEqualTo(3);
        assertThat(light.known().epochs().last().epoch()).isEqualTo(1);
    }

    /** The former node 3 signed on after it had been replaced. */
    @Test
    void shouldRefuseAChainOfFormerNodesThatATransactionEnds() {
        chain.append(chain.transaction(1, halt(true)), chain.transaction(2, replaceNode(3, chain.newKey())));
        chain.certify();
        MembershipProof whole = proof(chain);
        chain.appendOrders(1);
        chain.certify();
        light.advance(without(1, proof(chain)));

        assertThatThrownBy(() -> light.advance(whole))
                .isInstanceOf(LightChain.ForkException.class)
                .hasMessageStartingWith("block 2 is certified by nodes that were replaced before it: ");
    }

    /** The header of the last block does not say that the block holds transactions. */
    @Test
    void shouldTakeTheTransactionsOfTheLastBlockThatWereLeftOut() {
        chain.replace(1, 3);
        MembershipProof whole = proof(chain);
        light.advance(without(0, whole));
        assertThat(light.known().epochs().last().epoch()).isZero();

        assertThat(light.advance(whole)).isTrue();
        assertThat(light.known().epochs().last().epoch()).isEqualTo(1);
        assertThatThrownBy(() -> light.advance(without(0, whole)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it leaves out batch 0 of block 1");
    }

    /** Block 1 holds two transactions, of which the second one replaces node 3. */
    private void replaceWithTheSecondTransaction() {
        Signer key = chain.newKey();
        chain.append(chain.transaction(1, halt(true)), chain.transaction(2, replaceNode(3, key)));
        chain.certify();
        chain.changeIdentity(3, key);
    }

    private static MembershipProof without(int transaction, MembershipProof proof) {
        List<InclusionProof> left = new ArrayList<>(proof.transactions());
        left.remove(transaction);
        return new MembershipProof(proof.genesisDigest(), proof.tip(), proof.certificate(), left);
    }

    private static void fork(ChangingChain one, ChangingChain other) {
        one.appendOrders(1);
        one.certify();
        other.appendOrders(1);
        other.certify();
    }

    private void assertFork(ChangingChain other, String fact) {
        MembershipProof known = light.newest().orElseThrow();
        MembershipProof contradiction = proof(other);
        assertThatThrownBy(() -> light.advance(contradiction))
                .isInstanceOf(LightChain.ForkException.class)
                .hasMessageStartingWith(fact);
        assertThat(light.newest()).contains(known);
    }

    private MembershipProof proof(ChangingChain from) {
        return new MembershipProver(archive(from)).prove();
    }

    private ArchiveReader archive(ChangingChain from) {
        Path path = directory.resolve("archive" + archives++);
        from.writeUncertifiedTo(path);
        return ArchiveReader.open(path);
    }
}
