package io.sealbook.chaos.liar;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.Signer;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What a member can make with its own key, and what it can only pretend. Any thread. */
final class Forgery {
    private static final int ONE_OF = 4;
    private static final int PLACES_MAX = 1_024;

    private record Place(long view, long sequence) {}

    /** Blocks of other proposals, under a certificate that no quorum has signed. */
    record Chain(List<byte[]> blocks, byte[] certificate) {}

    private final int nodeId;
    private final int nodeCount;
    private final long chainId;
    private final Epoch epoch;
    private final Signer signer;
    private final Random random = new Random();
    /** The digest to which the other version of a proposal leads; the oldest is forgotten. */
    private final Map<Place, PrePrepare> others = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, PrePrepare> eldest) {
            return size() > PLACES_MAX;
        }
    };

    Forgery(int nodeId, Genesis genesis, Signer signer) {
        this.nodeId = nodeId;
        this.signer = signer;
        nodeCount = genesis.getNodesCount();
        chainId = genesis.getChainId();
        epoch = Epoch.first(chainId);
    }

    /** Returns another proposal or vote for the same place, rightly signed; the same message if there is none. */
    synchronized Message otherVersion(Message message) {
        return switch (message) {
            case PrePrepare proposal ->
                others.computeIfAbsent(new Place(proposal.view(), proposal.sequence()), place -> later(proposal));
            case Prepare vote -> prepare(vote, otherDigest(vote.view(), vote.sequence()));
            case Commit vote ->
                new Commit(vote.view(), vote.sequence(), otherDigest(vote.view(), vote.sequence()), vote.sender());
            default -> message;
        };
    }

    private Digest otherDigest(long view, long sequence) {
        PrePrepare other = others.get(new Place(view, sequence));
        return other == null ? randomDigest() : other.digest();
    }

    private PrePrepare later(PrePrepare message) {
        Proposal first = message.proposal();
        Proposal other =
                new Proposal(first.view(), first.sequence(), first.blockTimeNs() + 1, first.previous(), first.ends());
        byte[] signed =
                PrePrepare.signedBytes(epoch, message.view(), message.sequence(), other.digest(), message.sender());
        return new PrePrepare(message.view(), message.sequence(), other, message.sender(), sign(signed));
    }

    private Prepare prepare(Prepare vote, Digest digest) {
        byte[] signed = Prepare.signedBytes(epoch, vote.view(), vote.sequence(), digest, vote.sender());
        return new Prepare(vote.view(), vote.sequence(), digest, vote.sender(), sign(signed));
    }

    /** Returns, for one message of four, one that says something else. */
    Message forged(Message message) {
        if (random.nextInt(ONE_OF) != 0) {
            return message;
        }
        return switch (message) {
            case Prepare vote when random.nextBoolean() -> inTheNameOfAnother(vote);
            case Prepare vote -> prepare(vote, randomDigest());
            case Commit vote -> new Commit(vote.view(), vote.sequence(), randomDigest(), vote.sender());
            case Checkpoint checkpoint -> checkpoint(checkpoint);
            case BatchAck ack ->
                new BatchAck(
                        ack.ends().stream()
                                .map(end -> new SessionEnd(end.sessionKey(), end.number() + 1, randomDigest()))
                                .toList(),
                        ack.sender());
            default -> message;
        };
    }

    private Prepare inTheNameOfAnother(Prepare vote) {
        return new Prepare(vote.view(), vote.sequence(), vote.digest(), (nodeId + 1) % nodeCount, vote.signature());
    }

    private Checkpoint checkpoint(Checkpoint checkpoint) {
        Digest result = randomDigest();
        byte[] signed = Checkpoint.signedBytes(
                chainId, checkpoint.sequence(), checkpoint.chainHash(), result, checkpoint.proposalDigest());
        return new Checkpoint(
                checkpoint.sequence(),
                checkpoint.chainHash(),
                result,
                checkpoint.proposalDigest(),
                checkpoint.sender(),
                sign(signed));
    }

    /** Returns a vote at the place of a message whose signature is none. */
    Message junk(Message message) {
        byte[] signature = new byte[SignedBatch.SIGNATURE_LENGTH];
        random.nextBytes(signature);
        signature[signature.length - 1] = 0;
        Prepare vote = message instanceof Prepare prepare
                ? prepare
                : new Prepare(0, 1 + random.nextInt(64), randomDigest(), nodeId, Signature.of(signature));
        return new Prepare(vote.view(), vote.sequence(), randomDigest(), nodeId, Signature.of(signature));
    }

    /** Returns a batch that has, one time of four, another signature, which its id does not show. */
    byte[] batch(byte[] signedBatch) {
        if (random.nextInt(ONE_OF) != 0) {
            return signedBatch;
        }
        byte[] forged = signedBatch.clone();
        forged[forged.length - 1 - random.nextInt(SignedBatch.SIGNATURE_LENGTH)] ^= 1;
        return forged;
    }

    /**
     * Returns blocks of other proposals after the true chain, with the true batches, which their brokers have signed,
     * and a certificate with this member's signature in each place: nothing but the certificate shows what they are.
     */
    Chain chain(List<byte[]> blocks) {
        List<byte[]> forged = new ArrayList<>();
        Digest previous = Block.wrap(blocks.getFirst()).header().previousHash();
        Block last = null;
        for (byte[] bytes : blocks) {
            last = ofOtherProposal(Block.wrap(bytes), previous);
            previous = last.hash();
            forged.add(last.bytes());
        }
        Digest result = randomDigest();
        Digest proposal = last.header().proposalDigest();
        long sequence = last.header().sequence();
        byte[] signature =
                signer.sign(CheckpointCertificate.signedBytes(chainId, sequence, last.hash(), result, proposal));
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < nodeCount; node++) {
            signatures.add(new CertificateSignature(node, signature));
        }
        return new Chain(
                forged, new CheckpointCertificate(sequence, last.hash(), result, proposal, signatures).encode());
    }

    private Block ofOtherProposal(Block block, Digest previous) {
        BlockHeader header = block.header();
        BlockBuilder builder = new BlockBuilder()
                .begin(
                        header.sequence(),
                        header.view(),
                        header.blockTimeNs(),
                        randomDigest(),
                        previous,
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

    private Signature sign(byte[] signedBytes) {
        return Signature.of(signer.sign(signedBytes));
    }

    private Digest randomDigest() {
        byte[] bytes = new byte[Digest.LENGTH];
        random.nextBytes(bytes);
        return Digest.of(bytes);
    }
}
