package io.sealbook.client.proof;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.archive.proof.MembershipProofVerifier;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.Signer;
import io.sealbook.membership.Membership;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs as nodes make them, judged as {@code block-archive} judges them. */
class MembershipJudgeTest {
    private static final int SEED = 31;

    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(SEED);
    private final MembershipJudge judge = new MembershipJudge(chain.genesisFile());
    private int archives;

    private MembershipProof proof(ChangingChain of) {
        Path archive = directory.resolve("archive" + archives++);
        of.writeTo(archive);
        try (ArchiveReader reader = ArchiveReader.open(archive, of.config())) {
            return new MembershipProver(reader).prove();
        }
    }

    private void assertRefused(MembershipProof proof, String fact) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge.judge(proof.encode()))
                .withMessageContaining(fact);
    }

    private static MembershipProof without(MembershipProof proof, int index) {
        List<InclusionProof> rest = new ArrayList<>(proof.transactions());
        rest.remove(index);
        return new MembershipProof(proof.genesisDigest(), proof.tip(), proof.certificate(), rest);
    }

    @Test
    void shouldFindTheMembersThatAnAuditorFinds() {
        chain.appendOrders(2);
        chain.replace(1, 3);
        chain.append(
                chain.orders(1), chain.transaction(2, halt(true)), chain.orders(2), chain.transaction(3, halt(false)));
        chain.append(chain.transaction(7, halt(true)));
        chain.replace(4, 0);
        chain.add(5);
        chain.appendOrders(3);
        chain.certify(0, 1, 3, 4);
        MembershipProof proof = proof(chain);

        ProvenMembers members = judge.judge(proof.encode());

        Membership audited = new MembershipProofVerifier(
                        chain.genesisFile(), SignatureProviders.named(BouncyCastleProvider.NAME))
                .verify(proof)
                .epochs()
                .last();
        assertThat(members.number()).isEqualTo(5).isEqualTo(audited.number());
        assertThat(members.nodes()).hasSize(5).isEqualTo(audited.terms().getNodesList());
        assertThat(members.certifiedBlock()).isEqualTo(chain.length());
    }

    @Test
    void shouldRefuseAProofThatLeavesOutATransaction() {
        chain.append(chain.transaction(1, halt(true)));
        chain.replace(2, 3);
        chain.replace(3, 0);
        MembershipProof whole = proof(chain);
        chain.appendOrders(1);
        MembershipProof proof = proof(chain);

        assertRefused(without(proof, 0), "block 2 names block 1 as the one with administrative batches before it");
        assertRefused(without(proof, 1), "block 3: valid signatures of nodes [0, 1], expected of 3 nodes of epoch 0");
        assertRefused(without(proof, 2), "block 4: valid signatures of nodes [1, 3], expected of 3 nodes of epoch 1");
        // As of its own block, the last one is only not known yet.
        assertThat(judge.judge(without(whole, 2).encode()).number()).isEqualTo(2);
    }

    @Test
    void shouldRefuseTransactionsInAnotherOrder() {
        chain.append(chain.transaction(1, halt(true)), chain.transaction(2, halt(false)));
        chain.appendOrders(1);
        MembershipProof proof = proof(chain);
        List<InclusionProof> reversed =
                List.of(proof.transactions().get(1), proof.transactions().get(0));

        assertRefused(
                new MembershipProof(proof.genesisDigest(), proof.tip(), proof.certificate(), reversed),
                "batch 0 does not follow batch 1");
    }

    @Test
    void shouldRefuseACertificateOfTooFewNodes() {
        chain.append(chain.transaction(1, halt(true)));
        chain.certify(0, 1);
        assertRefused(proof(chain), "valid signatures of nodes [0, 1], expected of 3 nodes of epoch 0");
    }

    /** The nodes before a change certify blocks after it. */
    @Test
    void shouldRefuseCertificatesOfFormerNodes() {
        Signer key = chain.newKeyOfTheSchemeOf(3);
        chain.append(chain.transaction(1, ChangingChain.replaceNode(3, key)));
        chain.certify();
        chain.appendOrders(1);
        chain.certify();

        assertRefused(proof(chain), "block 2: valid signatures of nodes [0, 1]");
    }

    /** No hash of the chain covers the signature of the member that proposed a transaction. */
    @Test
    void shouldRefuseATransactionThatItsProposerDidNotSign() {
        chain.append(chain.transaction(1, halt(true)));
        chain.appendOrders(1);
        MembershipProof proof = proof(chain);
        InclusionProof genuine = proof.transactions().get(0);
        byte[] batch = genuine.signedBatch().clone();
        batch[batch.length - 2] ^= 1;
        InclusionProof forged = new InclusionProof(
                genuine.genesisDigest(),
                genuine.batchIndex(),
                genuine.batchId(),
                genuine.header(),
                genuine.merklePath(),
                genuine.laterHeaders(),
                genuine.certificate(),
                batch);

        assertRefused(
                new MembershipProof(proof.genesisDigest(), proof.tip(), proof.certificate(), List.of(forged)),
                "block 1: its batch is not signed by the key that it names");
    }

    @Test
    void shouldRefuseOrdersInPlaceOfATransaction() {
        chain.append(chain.transaction(1, halt(true)));
        chain.appendOrders(1);
        MembershipProof proof = proof(chain);
        Path archive = directory.resolve("archive" + (archives - 1));
        try (ArchiveReader reader = ArchiveReader.open(archive, chain.config())) {
            InclusionProof orders = new InclusionProver(reader).prove(2, 0, true);
            assertRefused(
                    new MembershipProof(
                            proof.genesisDigest(),
                            proof.tip(),
                            proof.certificate(),
                            List.of(proof.transactions().get(0), orders)),
                    "block 2: the batch is not administrative");
        }
    }

    @Test
    void shouldNoticeEveryChangedByte() {
        chain.replace(1, 3);
        chain.append();
        byte[] file = proof(chain).encode();
        ProvenMembers before = judge.judge(file);
        for (int at = 0; at < file.length; at++) {
            byte[] changed = file.clone();
            changed[at] ^= 1;
            try {
                ProvenMembers members = judge.judge(changed);
                assertThat(members.nodes()).as("byte " + at).isEqualTo(before.nodes());
                assertThat(members.certifiedBlock()).as("byte " + at).isEqualTo(before.certifiedBlock());
            } catch (IllegalArgumentException e) {
                assertThat(e).as("byte " + at).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void shouldTellAForkFromAnOlderProof() {
        ChangingChain other = new ChangingChain(SEED);
        chain.appendOrders(1);
        chain.append(chain.transaction(1, halt(true)));
        ProvenMembers older = judge.judge(proof(chain).encode());
        chain.replace(2, 3);
        chain.appendOrders(2);
        ProvenMembers newer = judge.judge(proof(chain).encode());
        other.append(other.transaction(1, halt(true)));
        ProvenMembers early = judge.judge(proof(other).encode());
        other.appendOrders(8);
        ProvenMembers fork = judge.judge(proof(other).encode());

        older.requireSameChain(newer);
        newer.requireSameChain(older);
        newer.requireSameChain(newer);
        ProvenMembers.of(chain.genesis()).requireSameChain(newer);
        newer.requireSameChain(ProvenMembers.of(chain.genesis()));
        assertFork(newer, fork);
        assertFork(older, fork);
        assertFork(fork, older);
        assertFork(older, early);
        assertFork(early, newer);
    }

    /** The known chain ends with a transaction that the other one does not have. */
    @Test
    void shouldRefuseAChainThatHidesTheLastTransaction() {
        ChangingChain other = new ChangingChain(SEED);
        chain.append(chain.transaction(1, halt(true)));
        ProvenMembers known = judge.judge(proof(chain).encode());
        other.appendOrders(2);
        ProvenMembers hiding = judge.judge(proof(other).encode());

        assertFork(known, hiding);
        assertFork(hiding, known);
    }

    private static void assertFork(ProvenMembers known, ProvenMembers other) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.requireSameChain(other))
                .withMessageContaining("it contradicts what is known");
    }
}
