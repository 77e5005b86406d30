package io.sealbook.peer.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.vocabulary.Digest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");
    private static final Digest GENESIS = Digest.ZERO;
    private static final List<Signer> SIGNERS = new ArrayList<>();

    private final HandshakeContext acceptorContext = context(0, SIGNERS.get(0), GENESIS, 42);
    private final HandshakeContext dialerContext = context(2, SIGNERS.get(2), GENESIS, 42);
    private final AcceptorHandshake acceptor = new AcceptorHandshake(acceptorContext, ConnectionRole.VOTE, 10);
    private final DialerHandshake dialer = new DialerHandshake(dialerContext, ConnectionRole.VOTE, 0, 20);

    @BeforeAll
    static void generateIdentities() {
        for (int i = 0; i < 4; i++) {
            SIGNERS.add(
                    Signers.generate(i % 2 == 0 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256));
        }
    }

    @Test
    void shouldGiveBothSidesTheSameKeysInOppositeDirections() throws HandshakeException {
        byte[] answer = answer(acceptor, dialer.hello());
        AcceptorHandshake.Accepted accepted = acceptor.onAuth(dialer.onHello(answer));
        Session atDialer = dialer.onConfirm(accepted.confirmation());
        Session atAcceptor = accepted.session();

        assertThat(atAcceptor.peerId()).isEqualTo(2);
        assertThat(atAcceptor.peerEpoch()).isZero();
        assertThat(atDialer.peerId()).isZero();
        List<byte[]> atDialerInOrder = keys(atDialer.sendKeys(), atDialer.receiveKeys());
        assertThat(atDialerInOrder)
                .usingElementComparator(Arrays::compare)
                .containsExactlyElementsOf(keys(atAcceptor.receiveKeys(), atAcceptor.sendKeys()))
                .doesNotHaveDuplicates()
                .allMatch(key -> key.length == 32);
        assertThat(atDialer.sendCounter())
                .isEqualTo(atAcceptor.receiveCounter())
                .isEqualTo(20);
        assertThat(atDialer.receiveCounter())
                .isEqualTo(atAcceptor.sendCounter())
                .isEqualTo(10);
        assertThat(atDialer.toString())
                .doesNotContain(HexFormat.of().formatHex(atDialer.sendKeys().codeKey()));
    }

    @Test
    void shouldNameTheEpochOfEachSideToTheOther() throws HandshakeException {
        List<VerificationKey> identities = dialerContext.identities();
        HandshakeContext ahead = new HandshakeContext(
                2, new Epoch(42, 0xFFFF), GENESIS, identities, SIGNERS.get(2), VERIFIER, new SecureRandom());
        DialerHandshake dialing = new DialerHandshake(ahead, ConnectionRole.VOTE, 0, 20);

        AcceptorHandshake.Accepted accepted = acceptor.onAuth(dialing.onHello(answer(acceptor, dialing.hello())));

        assertThat(accepted.session().peerEpoch()).isEqualTo(0xFFFF);
        assertThat(dialing.onConfirm(accepted.confirmation()).peerEpoch()).isZero();
    }

    /** A new machine that waits for its change knows the others, who do not know it yet. */
    @Test
    void shouldRefuseANodeUntilAnEpochHasItsKey() throws HandshakeException {
        Signer coming = Signers.generate(SignatureScheme.SM2_SM3);
        List<VerificationKey> replaced = new ArrayList<>(acceptorContext.identities());
        replaced.set(2, coming.verificationKey());
        DialerHandshake early = new DialerHandshake(context(2, coming, GENESIS, 42), ConnectionRole.VOTE, 0, 0);
        byte[] proof = early.onHello(answer(acceptor, early.hello()));
        refused(HandshakeRefusal.BAD_SIGNATURE, () -> acceptor.onAuth(proof));

        AcceptorHandshake afterwards = new AcceptorHandshake(
                new HandshakeContext(
                        0, new Epoch(42, 1), GENESIS, replaced, SIGNERS.get(0), VERIFIER, new SecureRandom()),
                ConnectionRole.VOTE,
                0);
        DialerHandshake again = new DialerHandshake(context(2, coming, GENESIS, 42), ConnectionRole.VOTE, 0, 0);

        AcceptorHandshake.Accepted accepted = afterwards.onAuth(again.onHello(answer(afterwards, again.hello())));

        assertThat(again.onConfirm(accepted.confirmation()).peerEpoch()).isOne();
        assertThat(accepted.session().peerEpoch()).isZero();
    }

    /** A node that is epochs behind, and whose operator gave it a membership proof, with a peer whose key changed. */
    @Test
    void shouldAcceptALaterIdentityOfAPeerThatIsAhead() throws HandshakeException {
        Signer changed = Signers.generate(SignatureScheme.SM2_SM3);
        DialerHandshake dialing = new DialerHandshake(behind(2, 0, changed), ConnectionRole.VOTE, 0, 0);
        AcceptorHandshake ahead = new AcceptorHandshake(inEpoch(1, 0, changed), ConnectionRole.VOTE, 0);
        AcceptorHandshake.Accepted accepted = ahead.onAuth(dialing.onHello(answer(ahead, dialing.hello())));
        assertThat(dialing.onConfirm(accepted.confirmation()).peerEpoch()).isOne();

        AcceptorHandshake accepting = new AcceptorHandshake(behind(0, 2, changed), ConnectionRole.VOTE, 0);
        DialerHandshake dialsAhead = new DialerHandshake(inEpoch(1, 2, changed), ConnectionRole.VOTE, 0, 0);
        Session session = accepting
                .onAuth(dialsAhead.onHello(answer(accepting, dialsAhead.hello())))
                .session();
        assertThat(session.peerEpoch()).isOne();
    }

    /** In the node's own epoch votes count, and they are those of the keys of this epoch. */
    @Test
    void shouldRefuseALaterIdentityInItsOwnEpoch() throws HandshakeException {
        Signer changed = Signers.generate(SignatureScheme.SM2_SM3);
        DialerHandshake dialing = new DialerHandshake(behind(2, 0, changed), ConnectionRole.VOTE, 0, 0);
        AcceptorHandshake equal = new AcceptorHandshake(inEpoch(0, 0, changed), ConnectionRole.VOTE, 0);
        byte[] answer = answer(equal, dialing.hello());
        refused(HandshakeRefusal.BAD_SIGNATURE, () -> dialing.onHello(answer));

        AcceptorHandshake accepting = new AcceptorHandshake(behind(0, 2, changed), ConnectionRole.VOTE, 0);
        DialerHandshake dialsEqual = new DialerHandshake(inEpoch(0, 2, changed), ConnectionRole.VOTE, 0, 0);
        byte[] proof = dialsEqual.onHello(answer(accepting, dialsEqual.hello()));
        refused(HandshakeRefusal.BAD_SIGNATURE, () -> accepting.onAuth(proof));
    }

    /** Returns the context of a node in epoch 0 to which a later key of a peer is proven. */
    private static HandshakeContext behind(int nodeId, int peer, Signer later) {
        HandshakeContext now = context(nodeId, SIGNERS.get(nodeId), GENESIS, 42);
        return new HandshakeContext(
                nodeId,
                now.epoch(),
                GENESIS,
                now.identities(),
                with(peer, later),
                now.signer(),
                VERIFIER,
                new SecureRandom());
    }

    private static HandshakeContext inEpoch(int epoch, int nodeId, Signer signer) {
        return new HandshakeContext(
                nodeId, new Epoch(42, epoch), GENESIS, with(nodeId, signer), signer, VERIFIER, new SecureRandom());
    }

    private static List<VerificationKey> with(int node, Signer signer) {
        List<VerificationKey> identities =
                new ArrayList<>(SIGNERS.stream().map(Signer::verificationKey).toList());
        identities.set(node, signer.verificationKey());
        return identities;
    }

    @Test
    void shouldMakeOtherKeysForEverySession() throws HandshakeException {
        byte[] first = session().sendKeys().codeKey();

        assertThat(session().sendKeys().codeKey()).isNotEqualTo(first);
    }

    @Test
    void shouldRefuseADialerWithAnotherIdentity() throws HandshakeException {
        Signer impostor = Signers.generate(SignatureScheme.SM2_SM3);
        List<VerificationKey> itsIdentities = new ArrayList<>(acceptorContext.identities());
        itsIdentities.set(2, impostor.verificationKey());
        DialerHandshake lying = new DialerHandshake(
                new HandshakeContext(
                        2, Epoch.first(42), GENESIS, itsIdentities, impostor, VERIFIER, new SecureRandom()),
                ConnectionRole.VOTE,
                0,
                0);

        byte[] proof = lying.onHello(answer(acceptor, lying.hello()));

        refused(HandshakeRefusal.BAD_SIGNATURE, () -> acceptor.onAuth(proof));
    }

    @Test
    void shouldRefuseAnAcceptorWithAnotherIdentity() throws HandshakeException {
        Signer impostor = Signers.generate(SignatureScheme.SM2_SM3);
        List<VerificationKey> itsIdentities = new ArrayList<>(acceptorContext.identities());
        itsIdentities.set(0, impostor.verificationKey());
        AcceptorHandshake lying = new AcceptorHandshake(
                new HandshakeContext(
                        0, Epoch.first(42), GENESIS, itsIdentities, impostor, VERIFIER, new SecureRandom()),
                ConnectionRole.VOTE,
                0);

        byte[] answer = answer(lying, dialer.hello());

        refused(HandshakeRefusal.BAD_SIGNATURE, () -> dialer.onHello(answer));
    }

    @Test
    void shouldNameBothGenesisDigestsOnBothSides() {
        byte[] otherBytes = new byte[Digest.LENGTH];
        Arrays.fill(otherBytes, (byte) 0xAB);
        Digest otherGenesis = Digest.of(otherBytes);
        DialerHandshake stranger =
                new DialerHandshake(context(2, SIGNERS.get(2), otherGenesis, 42), ConnectionRole.VOTE, 0, 0);

        assertThatExceptionOfType(HandshakeException.class)
                .isThrownBy(() -> acceptor.onHello(stranger.hello()))
                .withMessageContainingAll("GENESIS_MISMATCH", "ab".repeat(32), "00".repeat(32));
        byte[] rejection = HandshakeMessage.reject(HandshakeRefusal.GENESIS_MISMATCH, GENESIS);
        assertThatExceptionOfType(HandshakeException.class)
                .isThrownBy(() -> stranger.onHello(rejection))
                .withMessageContainingAll("REFUSED_BY_PEER", "GENESIS_MISMATCH", "00".repeat(32));
    }

    /** Version 2 had no encryption. */
    @Test
    void shouldNameBothVersionsOnWhicheverSideThisNodeIs() throws HandshakeException {
        byte[] olderHello = inVersion(2, dialer.hello());
        byte[] olderAnswer = inVersion(2, answer(acceptor, dialer.hello()));
        byte[] olderRejection = inVersion(2, HandshakeMessage.reject(HandshakeRefusal.VERSION, GENESIS));

        namesVersions(() -> acceptor.onHello(olderHello));
        namesVersions(() -> dialer.onHello(olderAnswer));
        namesVersions(() -> dialer.onHello(olderRejection));
    }

    @Test
    void shouldNameBothVersionsOfFrames() {
        byte[] olderFrames = dialer.hello();
        olderFrames[Hello.FRAME_VERSION_OFFSET] = 2;

        namesVersions(() -> acceptor.onHello(olderFrames));
    }

    @Test
    void shouldRefuseAnotherChainRoleDirectionOrAddressee() {
        refused(
                HandshakeRefusal.GENESIS_MISMATCH,
                () -> acceptor.onHello(
                        new DialerHandshake(context(2, SIGNERS.get(2), GENESIS, 43), ConnectionRole.VOTE, 0, 0)
                                .hello()));
        refused(
                HandshakeRefusal.ROLE,
                () -> acceptor.onHello(new DialerHandshake(dialerContext, ConnectionRole.PAYLOAD, 0, 0).hello()));
        refused(
                HandshakeRefusal.NODE_ID,
                () -> acceptor.onHello(new DialerHandshake(dialerContext, ConnectionRole.VOTE, 1, 0).hello()));
        refused(
                HandshakeRefusal.NODE_ID,
                () -> acceptor.onHello(new DialerHandshake(acceptorContext, ConnectionRole.VOTE, 0, 0).hello()));
        AcceptorHandshake higher =
                new AcceptorHandshake(context(3, SIGNERS.get(3), GENESIS, 42), ConnectionRole.VOTE, 0);
        refused(
                HandshakeRefusal.NODE_ID,
                () -> higher.onHello(new DialerHandshake(dialerContext, ConnectionRole.VOTE, 3, 0).hello()));
    }

    @Test
    void shouldRefuseAReplayedProof() throws HandshakeException {
        byte[] recordedHello = dialer.hello();
        byte[] recordedProof = dialer.onHello(answer(acceptor, recordedHello));
        acceptor.onAuth(recordedProof);

        AcceptorHandshake again = new AcceptorHandshake(acceptorContext, ConnectionRole.VOTE, 10);
        answer(again, recordedHello);

        refused(HandshakeRefusal.BAD_SIGNATURE, () -> again.onAuth(recordedProof));
    }

    @Test
    void shouldRefuseAReplayedAnswer() throws HandshakeException {
        byte[] recordedAnswer = answer(acceptor, dialer.hello());

        DialerHandshake again = new DialerHandshake(dialerContext, ConnectionRole.VOTE, 0, 20);

        refused(HandshakeRefusal.BAD_SIGNATURE, () -> again.onHello(recordedAnswer));
    }

    @Test
    void shouldNoticeEveryTamperedByteOfTheDialersHello() throws HandshakeException {
        for (int at = 0; at < Hello.LENGTH; at++) {
            AcceptorHandshake fresh = new AcceptorHandshake(acceptorContext, ConnectionRole.VOTE, 10);
            byte[] hello = dialer.hello();
            hello[at] ^= 1;
            byte[] answer;
            try {
                answer = answer(fresh, hello);
            } catch (HandshakeException e) {
                continue;
            }

            assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> dialer.onHello(answer));
        }
    }

    @Test
    void shouldNoticeEveryTamperedByteOfTheAnswerAndTheProof() throws HandshakeException {
        byte[] answer = answer(acceptor, dialer.hello());
        byte[] proof = dialer.onHello(answer);
        for (int at = 0; at < answer.length; at++) {
            byte[] tampered = answer.clone();
            tampered[at] ^= 1;
            assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> dialer.onHello(tampered));
        }
        for (int at = 0; at < proof.length; at++) {
            byte[] tampered = proof.clone();
            tampered[at] ^= 1;
            assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> acceptor.onAuth(tampered));
        }
    }

    @Test
    void shouldRefuseAWrongConfirmation() throws HandshakeException {
        byte[] confirmation = acceptor.onAuth(dialer.onHello(answer(acceptor, dialer.hello())))
                .confirmation();
        confirmation[20] ^= 1;

        refused(HandshakeRefusal.BAD_CONFIRMATION, () -> dialer.onConfirm(confirmation));
    }

    @Test
    void shouldRefuseAKeyOfSmallOrder() throws HandshakeException {
        EphemeralKey key = EphemeralKey.generate(new SecureRandom());

        refused(HandshakeRefusal.BAD_KEY, () -> key.agree(new byte[32]));
    }

    @Test
    void shouldAgreeOnOneSecret() throws HandshakeException {
        for (int i = 0; i < 50; i++) {
            EphemeralKey one = EphemeralKey.generate(new SecureRandom());
            EphemeralKey other = EphemeralKey.generate(new SecureRandom());

            assertThat(one.agree(other.publicKey())).isEqualTo(other.agree(one.publicKey()));
        }
    }

    @Test
    void shouldRefuseMessagesOutOfOrder() throws HandshakeException {
        refused(HandshakeRefusal.MALFORMED, () -> acceptor.onAuth(new byte[HandshakeMessage.AUTH_LENGTH]));
        byte[] proof = dialer.onHello(answer(acceptor, dialer.hello()));
        AcceptorHandshake fresh = new AcceptorHandshake(acceptorContext, ConnectionRole.VOTE, 0);
        refused(HandshakeRefusal.MALFORMED, () -> fresh.onAuth(proof));
        refused(HandshakeRefusal.MALFORMED, () -> fresh.onHello(proof));
    }

    /** RFC 5869, A.1. */
    @Test
    void shouldDeriveAsRfc5869Says() {
        HexFormat hex = HexFormat.of();
        byte[] extracted = Hkdf.extract(hex.parseHex("000102030405060708090a0b0c"), hex.parseHex("0b".repeat(22)));

        assertThat(hex.formatHex(extracted))
                .isEqualTo("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        assertThat(hex.formatHex(Hkdf.expand(extracted, hex.parseHex("f0f1f2f3f4f5f6f7f8f9"), 42)))
                .isEqualTo("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    }

    private Session session() throws HandshakeException {
        AcceptorHandshake accepting = new AcceptorHandshake(acceptorContext, ConnectionRole.VOTE, 0);
        DialerHandshake dialing = new DialerHandshake(dialerContext, ConnectionRole.VOTE, 0, 0);
        return accepting
                .onAuth(dialing.onHello(answer(accepting, dialing.hello())))
                .session();
    }

    private static HandshakeContext context(int nodeId, Signer signer, Digest genesis, long chainId) {
        List<VerificationKey> identities =
                SIGNERS.stream().map(Signer::verificationKey).toList();
        return new HandshakeContext(
                nodeId, Epoch.first(chainId), genesis, identities, signer, VERIFIER, new SecureRandom());
    }

    /** Returns a hello or rejection as a node of another version writes it: nothing else in them differs. */
    private static byte[] inVersion(int version, byte[] message) {
        byte[] other = message.clone();
        other[HandshakeMessage.VERSION_OFFSET] = (byte) version;
        if (other.length >= Hello.LENGTH) {
            other[Hello.FRAME_VERSION_OFFSET] = (byte) version;
        }
        return other;
    }

    private static void namesVersions(ThrowingCallable call) {
        assertThatExceptionOfType(HandshakeException.class)
                .isThrownBy(call)
                .withMessageMatching("handshake: VERSION: .*\\b2\\b.*\\b5\\b")
                .satisfies(e -> assertThat(e.refusal()).isEqualTo(HandshakeRefusal.VERSION));
    }

    private static void refused(HandshakeRefusal refusal, ThrowingCallable call) {
        assertThatExceptionOfType(HandshakeException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.refusal()).isEqualTo(refusal));
    }

    private static List<byte[]> keys(DirectionKeys first, DirectionKeys second) {
        return List.of(first.codeKey(), first.recordKey(), second.codeKey(), second.recordKey());
    }

    private static byte[] answer(AcceptorHandshake acceptor, byte[] hello) throws HandshakeException {
        acceptor.onHello(hello);
        return acceptor.hello();
    }
}
