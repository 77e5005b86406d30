package io.sealbook.archive.proof;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import java.nio.file.Path;
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
