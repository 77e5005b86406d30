package io.sealbook.simulator;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What a liar sends to a peer that transfers blocks. One thread. */
final class ForgedBlocks {
    private final int quorum;
    private final SplittableRandom random;

    /**
     * @param quorum members that sign a certificate
     * @param random decides what is forged
     */
    ForgedBlocks(int quorum, SplittableRandom random) {
        this.quorum = quorum;
        this.random = random;
    }

    /**
     * An answer to a request for blocks.
     *
     * @param blocks encoded, in order
     * @param certificate of one of them; may be null
     */
    record Blocks(List<byte[]> blocks, byte[] certificate) {}

    /**
     * Returns blocks with forged signatures of their brokers, or a chain and a certificate of the liar's own.
     *
     * @param blocks of the true chain, not changed
     * @param certificateOrNull of the true chain
     * @param signer of the liar
     */
    Blocks of(List<byte[]> blocks, byte[] certificateOrNull, MessageSigner signer) {
        return random.nextBoolean() ? forgedChain(blocks, signer) : new Blocks(forgedBatch(blocks), certificateOrNull);
    }

    private List<byte[]> forgedBatch(List<byte[]> blocks) {
        return blocks.stream()
                .map(bytes -> {
                    Block block = Block.wrap(bytes.clone());
                    if (block.batchCount() > 0) {
                        int end = block.batchOffset(0) + block.batchLength(0);
                        block.array()[end - 1 - random.nextInt(SignedBatch.SIGNATURE_LENGTH)] ^= 1;
                    }
                    return block.bytes();
                })
                .toList();
    }

    /**
     * Blocks of other proposals on the true chain's end, with the true batches, which their brokers signed. Their
     * certificate bears this member's signature in everybody's place. They are fewer than was asked for at times, so
     * that the certificate lies below the one that is known.
     */
    private Blocks forgedChain(List<byte[]> blocks, MessageSigner signer) {
        List<byte[]> forged = new ArrayList<>();
        Digest previous = Block.wrap(blocks.getFirst()).header().previousHash();
        Block last = null;
        for (byte[] bytes : blocks.subList(0, 1 + random.nextInt(blocks.size()))) {
            last = ofOtherProposal(Block.wrap(bytes), previous);
            previous = last.hash();
            forged.add(last.bytes());
        }
        long sequence = last.header().sequence();
        Digest result = randomDigest();
        Digest proposal = last.header().proposalDigest();
        byte[] signature =
                signer.sign(Checkpoint.signedBytes(SimulatedMarket.CHAIN_ID, sequence, last.hash(), result, proposal));
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < quorum; node++) {
            signatures.add(new CertificateSignature(node, signature));
        }
        return new Blocks(
                forged, new CheckpointCertificate(sequence, last.hash(), result, proposal, signatures).encode());
    }

    private Block ofOtherProposal(Block block, Digest previousHash) {
        BlockHeader header = block.header();
        BlockBuilder builder = new BlockBuilder()
                .begin(
                        header.sequence(),
                        header.view(),
                        header.blockTimeNs(),
                        randomDigest(),
                        previousHash,
                        header.administrationBlock());
        for (int i = 0; i < block.batchCount(); i++) {
            builder.add(
                    block.batchId(i),
                    block.arrivalTimeNs(i),
                    block.array(),
                    block.batchOffset(i),
                    block.batchLength(i));
        }
        return builder.buildBlock();
    }

    private Digest randomDigest() {
        byte[] bytes = new byte[Digest.LENGTH];
        random.nextBytes(bytes);
        return Digest.of(bytes);
    }
}
