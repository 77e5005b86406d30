package io.sealbook.peer.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** NEW-VIEWs that are longer than a frame unless each proposal stands in them once. */
class LongNewViewTest {
    private static final int SHARED = 12;
    private static final Signature SIGNATURE = Signature.of(new byte[65]);

    /** Nine of 13 nodes show the same 128 blocks with the batches of 500 sessions each. */
    @Test
    void shouldPassTheLargestWithTheParametersOfANewChain() throws Exception {
        NewView newView = newView(9, 128, 500);
        assertThat(MessageBody.lengthInPlace(newView)).isGreaterThan(31_000_000);

        byte[] bytes = PeerMessageCodec.encode(newView);
        assertThat(bytes).as("what a genesis file is checked by").hasSize(3_841_489);
        assertThat(bytes[1]).isEqualTo((byte) SHARED);
        assertThat(PeerMessageCodec.decode(bytes)).isEqualTo(newView);
        assertThat(PeerMessageCodec.encode(PeerMessageCodec.decode(bytes))).isEqualTo(bytes);

        ReplicaRecord record = new ReplicaRecord.ViewEntered(newView);
        byte[] logged = PeerMessageCodec.encode(record);
        assertThat(logged).hasSameSizeAs(bytes);
        assertThat(PeerMessageCodec.decodeRecord(logged)).isEqualTo(record);
    }

    /** Builds that do not know the other form read all that a frame could ever carry. */
    @Test
    void shouldKeepProposalsInPlaceWhereTheyFit() {
        for (long seed = 0; seed < 100; seed++) {
            NewView newView = new RandomMessages(seed)
                    .messages().stream()
                            .filter(NewView.class::isInstance)
                            .map(NewView.class::cast)
                            .findFirst()
                            .orElseThrow();
            byte[] bytes = PeerMessageCodec.encode(newView);
            assertThat(bytes[1]).isEqualTo((byte) MessageKind.NEW_VIEW.code());
            assertThat(MessageBody.lengthInPlace(newView)).isEqualTo(bytes.length - 2);
        }
        assertThat(PeerMessageCodec.encode(newView(4, 128, 200))[1]).isEqualTo((byte) MessageKind.NEW_VIEW.code());
    }

    @Test
    void shouldRefuseAFormThatNoEncoderMakes() {
        NewView small = newView(3, 2, 1);
        assertThatThrownBy(() -> PeerMessageCodec.decode(shared(small, new Proposals.Shared())))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("fit in place");
        assertThatThrownBy(() -> PeerMessageCodec.decode(shared(small, new Numbered(0))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("proposal 2 came before");
        assertThatThrownBy(() -> PeerMessageCodec.decode(shared(small, new Numbered(7))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("proposal 7 after 0 others");
        assertThatThrownBy(() -> PeerMessageCodec.decode(shared(small, new Numbered(-1))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("number of a proposal is -1");
    }

    @Test
    void shouldRefuseEveryTruncationOfALongOne() {
        byte[] bytes = PeerMessageCodec.encode(newView(9, 128, 300));
        for (int length = 0; length < bytes.length; length += 9_973) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> PeerMessageCodec.decode(truncated)).isInstanceOf(MalformedMessageException.class);
        }
    }

    private static byte[] shared(NewView newView, Proposals proposals) {
        WireWriter out = new WireWriter().putByte(PeerMessageCodec.VERSION).putByte(SHARED);
        MessageBody.write(out, newView, proposals);
        return out.bytes();
    }

    /** Writes each proposal in full, however often it comes. */
    private static final class Numbered implements Proposals {
        private int next;

        Numbered(int first) {
            next = first;
        }

        @Override
        public void write(WireWriter out, Proposal proposal) {
            MessageBody.write(out.putInt(next++), proposal);
        }

        @Override
        public Proposal read(WireReader in) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int lengthMin() {
            return Integer.BYTES;
        }
    }

    private static NewView newView(int quorum, int blocks, int sessions) {
        List<Proposal> proposals = new ArrayList<>();
        Digest previous = Digest.ZERO;
        for (int block = 1; block <= blocks; block++) {
            int number = block;
            List<SessionEnd> ends = IntStream.range(0, sessions)
                    .mapToObj(session -> new SessionEnd(session, number, Digest.ZERO))
                    .toList();
            Proposal proposal = new Proposal(0, block, block, previous, ends);
            proposals.add(proposal);
            previous = proposal.digest();
        }
        List<ReplicaSignature> prepares = IntStream.range(1, quorum)
                .mapToObj(node -> new ReplicaSignature(node, SIGNATURE))
                .toList();
        List<PreparedCertificate> prepared = proposals.stream()
                .map(proposal -> new PreparedCertificate(prePrepare(0, proposal), prepares))
                .toList();
        List<ReplicaSignature> signers = IntStream.range(0, quorum)
                .mapToObj(node -> new ReplicaSignature(node, SIGNATURE))
                .toList();
        StableCertificate stable = new StableCertificate(0, Digest.ZERO, Digest.ZERO, Digest.ZERO, signers);
        List<ViewChange> viewChanges = IntStream.range(0, quorum)
                .mapToObj(node -> new ViewChange(1, stable, prepared, node, SIGNATURE))
                .toList();
        return new NewView(
                1,
                viewChanges,
                proposals.stream().map(proposal -> prePrepare(1, proposal)).toList(),
                1,
                SIGNATURE);
    }

    private static PrePrepare prePrepare(long view, Proposal proposal) {
        return new PrePrepare(view, proposal.sequence(), proposal, (int) view, SIGNATURE);
    }
}
