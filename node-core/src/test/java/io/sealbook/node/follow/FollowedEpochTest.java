package io.sealbook.node.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.membership.Membership;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Block 2 replaces node 3: its old key counts up to this block, the new one from the next on. */
class FollowedEpochTest {
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");
    private static final String NO_QUORUM = "certificate of block %d has no quorum of valid signatures";

    private final TestMembers members = new TestMembers();
    private final Signer old = members.node(3);
    private final Signer replacement = Signers.generate(SignatureScheme.SM2_SM3);
    private final List<Block> blocks = new ArrayList<>();
    private final FollowedChain chain = chain(0, new ChainEpochs(members.genesis()));

    FollowedEpochTest() {
        append(order(1));
        append(members.batch(BatchPosition.first(1), members.transaction(1, replaceNode(), 0, 1, 2)));
        append(order(2));
        append(order(3));
    }

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    @Test
    void shouldJudgeEachCertificateByTheNodesOfItsEpoch() {
        send(1, 4);

        assertThat(chain.onCertificate(certificate(2, replacement))).hasValue(NO_QUORUM.formatted(2));
        assertThat(chain.onCertificate(certificate(2, old))).isEmpty();
        assertThat(chain.onCertificate(certificate(3, old))).hasValue(NO_QUORUM.formatted(3));
        assertThat(chain.onCertificate(certificate(3, replacement))).isEmpty();
        assertThat(chain.confirmedEnd()).isEqualTo(3);
    }

    @Test
    void shouldJudgeALateCertificateByTheNodesOfItsEpoch() {
        send(1, 4);
        chain.onHead(head(0, 4, members.node(0)));
        chain.onHead(head(1, 4, members.node(1)));
        assertThat(chain.confirmedEnd()).isEqualTo(4);

        assertThat(chain.onCertificate(certificate(2, replacement))).hasValue(NO_QUORUM.formatted(2));
        assertThat(chain.onCertificate(certificate(2, old))).isEmpty();
    }

    @Test
    void shouldJudgeALateCertificateOfAStoredBlock() {
        MembershipPass pass = new MembershipPass(Membership.of(members.genesis()));
        ChainEpochs epochs = new ChainEpochs(members.genesis());
        blocks.subList(0, 3).forEach(pass::onBlock);
        epochs.add(pass.membership());
        FollowedChain started = chain(3, epochs);
        assertThat(started.onBlock(blocks.get(3).bytes())).isEmpty();

        assertThat(started.onCertificate(certificate(2, replacement))).hasValue(NO_QUORUM.formatted(2));
        assertThat(started.onCertificate(certificate(2, old))).isEmpty();
        assertThat(started.onCertificate(certificate(4, replacement))).isEmpty();
    }

    @Test
    void shouldNotCountAReplacedKeyWhoseHeadCameBeforeTheChange() {
        chain.onHead(head(3, 4, old));
        send(1, 4);
        chain.onHead(head(0, 4, members.node(0)));
        assertThat(chain.confirmedEnd()).isZero();

        chain.onHead(head(3, 3, replacement));
        assertThat(chain.confirmedEnd()).isEqualTo(3);
    }

    @Test
    void shouldCountAReplacedKeyUpToTheChange() {
        send(1, 4);
        chain.onHead(head(0, 4, members.node(0)));
        chain.onHead(head(3, 1, replacement));
        assertThat(chain.confirmedEnd()).isZero();

        chain.onHead(head(3, 2, old));
        assertThat(chain.confirmedEnd()).isEqualTo(2);
    }

    @Test
    void shouldRememberAHeadOfAnEpochThatItDoesNotKnowYet() {
        chain.onHead(head(3, 4, replacement));
        chain.onHead(head(0, 4, members.node(0)));

        send(1, 4);

        assertThat(chain.confirmedEnd()).isEqualTo(4);
    }

    @Test
    void shouldNotLetAReplacedKeyContradictTheChain() {
        Digest other = Digest.sha256(new byte[] {1});
        chain.onHead(head(3, 4, other, old));
        chain.onHead(head(0, 4, other, members.node(0)));

        send(1, 4);

        assertThat(chain.onHead(head(2, 4, other, members.node(2)))).isPresent();
    }

    /** A faulty source sends the change too early, so that the head of a replaced member waits for a later epoch. */
    @Test
    void shouldForgetAWaitingHeadThatTheChainHasPassed() {
        byte[] change = members.batch(BatchPosition.first(1), members.transaction(1, replaceNode(), 0, 1, 2));
        blocks.clear();
        append(change);
        byte[] early = blocks.getFirst().bytes();
        blocks.clear();
        for (int number = 1; number <= 4; number++) {
            append(order(number));
        }
        append(change);
        assertThat(chain.onBlock(early)).isEmpty();
        chain.onHead(head(3, 3, old));
        chain.restart();
        send(1, 4);
        chain.onHead(head(0, 4, members.node(0)));
        chain.onHead(head(1, 4, members.node(1)));
        assertThat(chain.confirmedEnd()).isEqualTo(4);

        send(5, 5);

        assertThat(chain.nextSequence()).isEqualTo(6);
    }

    private void send(int from, int to) {
        for (int sequence = from; sequence <= to; sequence++) {
            assertThat(chain.onBlock(blocks.get(sequence - 1).bytes())).isEmpty();
        }
    }

    private FollowedChain chain(int stored, ChainEpochs epochs) {
        FollowedChain followed =
                new FollowedChain(new FollowTerms(false, 1 << 20), new BlockJudge(Optional.empty()), VERIFIER);
        followed.beginAfter(
                stored == 0 ? LastBlock.none(Digest.ZERO) : LastBlock.of(blocks.get(stored - 1)), epochs, 0);
        return followed;
    }

    private Change replaceNode() {
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder()
                        .setNode(Node.newBuilder()
                                .setNodeId(3)
                                .setIdentity(PublicKey.newBuilder()
                                        .setSchemeValue(replacement.scheme().code())
                                        .setPoint(ByteString.copyFrom(
                                                replacement.verificationKey().point())))))
                .build();
    }

    private MemberHead head(int member, int sequence, Signer key) {
        return head(member, sequence, blocks.get(sequence - 1).hash(), key);
    }

    private MemberHead head(int member, int sequence, Digest hash, Signer key) {
        long chainId = members.genesis().getChainId();
        return new MemberHead(member, sequence, hash, key.sign(MemberHead.signedBytes(chainId, sequence, hash)));
    }

    /** Returns a certificate of nodes 0, 1 and 3. */
    private byte[] certificate(int sequence, Signer third) {
        Digest hash = blocks.get(sequence - 1).hash();
        byte[] signed = CheckpointCertificate.signedBytes(
                members.genesis().getChainId(), sequence, hash, Digest.ZERO, Digest.ZERO);
        List<CertificateSignature> signatures = List.of(
                new CertificateSignature(0, members.node(0).sign(signed)),
                new CertificateSignature(1, members.node(1).sign(signed)),
                new CertificateSignature(3, third.sign(signed)));
        return new CheckpointCertificate(sequence, hash, Digest.ZERO, Digest.ZERO, signatures).encode();
    }

    private byte[] order(int number) {
        return members.orderBatch(1, old, number);
    }

    /** Its time is that of the block before, so that its proposal is not verified. */
    private void append(byte[] batch) {
        boolean isFirst = blocks.isEmpty();
        blocks.add(new BlockBuilder()
                .begin(
                        blocks.size() + 1,
                        0,
                        0,
                        Digest.ZERO,
                        isFirst ? Digest.ZERO : blocks.getLast().hash(),
                        isFirst ? 0 : blocks.getLast().lastAdministrationBlock())
                .add(BatchId.of(batch), 0, batch, 0, batch.length)
                .buildBlock());
    }
}
