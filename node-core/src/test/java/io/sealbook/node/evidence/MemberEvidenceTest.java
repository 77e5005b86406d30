package io.sealbook.node.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberEvidenceTest {
    private static final Epoch EPOCH = new Epoch(42, 3);

    @TempDir
    private Path directory;

    @Test
    void shouldKeepOneProofForEachKeyOverARestart() throws Exception {
        MemberEvidence first = evidence(2, 0, 7);
        try (EvidenceStore store = EvidenceStore.open(FileStorage.open(directory))) {
            assertThat(store.add(first)).isTrue();
            assertThat(store.add(evidence(2, 0, 8)))
                    .as("the key is proven already")
                    .isFalse();
            assertThat(store.add(evidence(2, 1, 9))).isTrue();
            assertThat(store.add(evidence(12, 0, 9))).isTrue();
        }

        try (EvidenceStore store = EvidenceStore.open(FileStorage.open(directory))) {
            assertThat(store.memberKeys())
                    .containsExactlyInAnyOrder(
                            new EvidenceStore.MemberKey(2, 0),
                            new EvidenceStore.MemberKey(2, 1),
                            new EvidenceStore.MemberKey(12, 0));
            assertThat(store.read(new EvidenceStore.MemberKey(2, 0))).contains(first);
            assertThat(store.sessions()).isEmpty();
        }
    }

    /** The name alone keeps the fact; the proof is another copy's. */
    @Test
    void shouldCountADamagedFileAndProveNothingWithIt() throws Exception {
        try (EvidenceStore store = EvidenceStore.open(FileStorage.open(directory))) {
            store.add(evidence(2, 0, 7));
            Path file = directory.resolve(EvidenceStore.MEMBER_PREFIX + "2-0");
            byte[] bytes = Files.readAllBytes(file);
            bytes[40] ^= 1;
            Files.write(file, bytes);

            EvidenceStore.MemberKey key = new EvidenceStore.MemberKey(2, 0);
            assertThat(store.memberKeys()).containsExactly(key);
            assertThat(store.read(key)).isEmpty();
        }
    }

    @Test
    void shouldTakeNoOtherBytesThanThoseOfEvidence() {
        byte[] bytes = evidence(2, 0, 7).encode();
        assertThat(MemberEvidence.decode(bytes)).isEqualTo(evidence(2, 0, 7));

        for (int length = 0; length < bytes.length; length++) {
            assertThat(MemberEvidence.decode(Arrays.copyOf(bytes, length))).isNull();
        }
        for (int at = 0; at < bytes.length; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            assertThat(MemberEvidence.decode(changed)).as("byte %d", at).isNull();
        }
    }

    /** Whoever makes a file can seal it; the statements must exclude each other all the same. */
    @Test
    void shouldTakeNoStatementsThatGoTogether() {
        byte[] one = statement(EPOCH, 7, Digest.ZERO, 2);
        Digest other = Digest.sha256(new byte[1]);

        assertThat(excludes(one, statement(EPOCH, 7, other, 2))).isTrue();
        assertThat(excludes(one, one)).isFalse();
        assertThat(excludes(one, statement(EPOCH, 8, other, 2))).isFalse();
        assertThat(excludes(one, statement(new Epoch(42, 4), 7, other, 2))).isFalse();
        assertThat(excludes(one, statement(new Epoch(43, 3), 7, other, 2))).isFalse();
        assertThat(excludes(one, statement(EPOCH, 7, other, 1))).isFalse();
        assertThat(excludes(statement(EPOCH, 7, Digest.ZERO, 1), statement(EPOCH, 7, other, 1)))
                .as("of another member")
                .isFalse();
    }

    private static boolean excludes(byte[] first, byte[] second) {
        return DoubleVote.of(2, EPOCH, first, signature(1), second, signature(2))
                .isPresent();
    }

    private static byte[] statement(Epoch epoch, long sequence, Digest digest, int member) {
        return Prepare.signedBytes(epoch, 5, sequence, digest, member);
    }

    private static Signature signature(int number) {
        byte[] bytes = new byte[65];
        bytes[0] = (byte) number;
        return Signature.of(bytes);
    }

    private static MemberEvidence evidence(int member, int keyId, long sequence) {
        DoubleVote vote = DoubleVote.of(
                        member,
                        EPOCH,
                        statement(EPOCH, sequence, Digest.ZERO, member),
                        signature(1),
                        statement(EPOCH, sequence, Digest.sha256(new byte[1]), member),
                        signature(2))
                .orElseThrow();
        return new MemberEvidence(keyId, vote);
    }
}
