package io.sealbook.fuzz;

import io.sealbook.archive.administration.ProposedTransaction;
import io.sealbook.membership.Membership;
import io.sealbook.node.admission.ArrivedBatch;
import io.sealbook.node.admission.BatchDecoder;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.BrokerRegistry;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.Verdict;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;

/** Bytes of brokers and peers. */
final class WireDecoders {
    private WireDecoders() {}

    static List<Decoder> all() {
        List<Decoder> decoders = new ArrayList<>(List.of(
                new Decoder("batch-view", WireDecoders::signedBatches, WireDecoders::view),
                new Decoder("batch-of-broker", WireDecoders::signedBatches, bytes -> decode(bytes, BatchSource.BROKER)),
                new Decoder("batch-of-peer", WireDecoders::signedBatches, bytes -> decode(bytes, 2)),
                new Decoder("administrative-batch", WireDecoders::signedBatches, WireDecoders::proposed),
                new Decoder(
                        "agreement-message",
                        () -> SampleMessages.messages().stream()
                                .map(PeerMessageCodec::encode)
                                .toList(),
                        Promises.<Message>canonical(
                                MalformedMessageException.class, PeerMessageCodec::decode, PeerMessageCodec::encode)),
                new Decoder(
                        "replica-record",
                        () -> SampleMessages.records().stream()
                                .map(PeerMessageCodec::encode)
                                .toList(),
                        Promises.<ReplicaRecord>canonical(
                                MalformedMessageException.class,
                                PeerMessageCodec::decodeRecord,
                                PeerMessageCodec::encode)),
                new Decoder(
                        "batch-request",
                        () -> List.of(PayloadCodec.encodeBatchRequest(SampleMessages.ranges())),
                        Promises.<List<BatchRange>>canonical(
                                MalformedMessageException.class,
                                PayloadCodec::decodeBatchRequest,
                                PayloadCodec::encodeBatchRequest)),
                new Decoder(
                        "block-request",
                        () -> List.of(PayloadCodec.encodeBlockRequest(7, 16)),
                        Promises.canonical(
                                MalformedMessageException.class,
                                PayloadCodec::decodeBlockRequest,
                                request -> PayloadCodec.encodeBlockRequest(request.from(), request.count()))),
                new Decoder(
                        "blocks",
                        WireDecoders::blocks,
                        Promises.canonical(
                                MalformedMessageException.class,
                                PayloadCodec::decodeBlocks,
                                blocks -> PayloadCodec.encodeBlocks(
                                        blocks.from(), blocks.blocks(), blocks.certificateOrNull())))));
        decoders.addAll(LinkDecoders.all());
        return decoders;
    }

    private static List<byte[]> signedBatches() {
        return List.of(
                SampleChain.batch(0), SampleChain.batch(1), SampleChain.batch(2), SampleChain.administrativeBatch());
    }

    private static List<byte[]> blocks() {
        List<byte[]> two = SampleChain.blocks().stream()
                .limit(2)
                .map(block -> block.bytes())
                .toList();
        byte[] certificate =
                SampleChain.certificate(SampleChain.blocks().get(1)).encode();
        return List.of(PayloadCodec.encodeBlocks(1, two, certificate), PayloadCodec.encodeBlocks(1, two, null));
    }

    /** A view refuses what is too short, and reads each field of all else. */
    private static void view(byte[] bytes) {
        BatchView view;
        try {
            view = new BatchView().wrap(bytes);
        } catch (IllegalArgumentException e) {
            Promises.require(bytes.length < SignedBatch.signedLength(0), "refused: " + e.getMessage());
            return;
        }
        if (view.isOrderBatch()) {
            Promises.require(
                    view.signatureOffset() == SignedBatch.batchLength(view.orderCount()), "orders end elsewhere");
        }
        if (view.number() != 0) {
            view.position();
        }
    }

    private static void decode(byte[] bytes, int peer) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Source(peer), 1, bytes, null, 1));
        new BatchDecoder(
                        SampleChain.GENESIS.genesis(),
                        new BrokerRegistry(Membership.of(SampleChain.GENESIS.genesis())),
                        count -> {})
                .decode(slot);
    }

    /** What a member proposes is read by every node, and by tools that show it. */
    private static void proposed(byte[] bytes) {
        ProposedTransaction.of(bytes).ifPresent(transaction -> {
            transaction.line();
            Membership membership = Membership.of(SampleChain.GENESIS.genesis());
            Membership.Outcome outcome = membership.apply(transaction.bytes(), 1);
            Promises.require(outcome.isExecuted() == (outcome.membership() != membership), "executed by half");
        });
    }

    /** Where a batch came from; no verdict is given by a decoder. */
    private record Source(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            throw new AssertionError("a verdict of a decoder: " + verdict);
        }

        @Override
        public void onVerdictsEnd() {
            throw new AssertionError("an end of verdicts of a decoder");
        }
    }
}
