package io.sealbook.fuzz;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveInspection;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.position.PositionVerifier;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.archive.proof.MembershipProofVerifier;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.archive.proof.ProofVerifier;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.storage.CallerThread;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Blocks, certificates and proofs, and the files of an archive. */
final class ArchiveDecoders {
    private static final String SEGMENT = String.format("segment-%019d.blocks", 1);
    private static final String CERTIFICATES = "certificates.log";
    private static final ArchiveConfig CONFIG =
            new ArchiveConfig(SampleChain.GENESIS.digest(), SampleChain.BLOCKS_PER_SEGMENT, Durability.PROCESS);
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);
    private static final MembershipProofVerifier MEMBERSHIPS =
            new MembershipProofVerifier(SampleChain.GENESIS, SIGNATURES);
    private static final ProofVerifier BATCHES = new ProofVerifier(SampleChain.GENESIS, SIGNATURES);
    private static final ResultProofVerifier RESULTS = new ResultProofVerifier(SampleChain.GENESIS, SIGNATURES);
    private static final PositionVerifier POSITIONS = new PositionVerifier(RESULTS, BATCHES);

    private ArchiveDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder("block", ArchiveDecoders::blocks, ArchiveDecoders::block),
                new Decoder(
                        "block-header",
                        () -> SampleChain.blocks().stream()
                                .map(block -> block.header().encode())
                                .toList(),
                        Promises.refuses(MalformedBlockException.class, ArchiveDecoders::header)),
                new Decoder(
                        "certificate",
                        () -> List.of(certificate().encode()),
                        Promises.canonical(
                                IllegalArgumentException.class,
                                CheckpointCertificate::decode,
                                CheckpointCertificate::encode)),
                new Decoder(
                        "inclusion-proof",
                        ArchiveDecoders::inclusionProofs,
                        Promises.canonical(
                                IllegalArgumentException.class, InclusionProof::decode, InclusionProof::encode)),
                new Decoder(
                        "inclusion-proof-sealed",
                        ArchiveDecoders::inclusionProofs,
                        bytes -> proof(bytes, InclusionProof::decode, InclusionProof::encode, BATCHES::verify)),
                new Decoder(
                        "result-proof-sealed",
                        () -> List.of(resultProof().encode()),
                        bytes -> proof(bytes, ResultProof::decode, ResultProof::encode, RESULTS::verify)),
                new Decoder(
                        "position-proof-sealed",
                        () -> List.of(positionProof().encode()),
                        bytes -> proof(bytes, PositionProof::decode, PositionProof::encode, POSITIONS::verify)),
                new Decoder(
                        "membership-proof-sealed",
                        () -> List.of(membershipProof()),
                        bytes -> membershipProof(Sealing.crcAtEnd(bytes))),
                new Decoder("archive-segment", () -> List.of(files().get(SEGMENT)), bytes -> archive(SEGMENT, bytes)),
                new Decoder(
                        "archive-certificates",
                        () -> List.of(files().get(CERTIFICATES)),
                        bytes -> archive(CERTIFICATES, bytes)),
                new Decoder(
                        "block-location",
                        () -> List.of(location().encode()),
                        Promises.canonical(
                                MalformedBlockException.class, BlockLocation::decode, BlockLocation::encode)));
    }

    private static List<byte[]> blocks() {
        return SampleChain.blocks().stream().map(block -> block.bytes()).toList();
    }

    private static CheckpointCertificate certificate() {
        return SampleChain.certificate(SampleChain.blocks().get(1));
    }

    private static void block(byte[] bytes) {
        Block block;
        try {
            block = Block.wrap(bytes);
        } catch (MalformedBlockException e) {
            return;
        }
        Promises.requireSame(bytes, block.bytes());
        block.hasMerkleRoot();
        block.lastAdministrationBlock();
        for (int i = 0; i < block.batchCount(); i++) {
            block.batchId(i);
            byte[] batch = new byte[block.batchLength(i)];
            System.arraycopy(block.array(), block.batchOffset(i), batch, 0, batch.length);
            new BlockOrders().of(batch);
        }
    }

    private static Object header(byte[] bytes) {
        BlockHeader header = BlockHeader.decode(bytes, 0);
        byte[] first = Arrays.copyOf(bytes, BlockHeader.LENGTH);
        Promises.requireSame(first, header.encode());
        return header;
    }

    /** Returns a proof that carries its batch, and one of another block that does not. */
    static List<byte[]> inclusionProofs() {
        try (ArchiveReader reader = ArchiveReader.open(files().directory(), CONFIG)) {
            InclusionProver prover = new InclusionProver(reader);
            return List.of(
                    prover.prove(1, 0, true).encode(), prover.prove(2, 1, false).encode());
        }
    }

    /** Returns the membership proof of the sample chain. */
    static byte[] membershipProof() {
        try (ArchiveReader reader = ArchiveReader.open(files().directory(), CONFIG)) {
            return new MembershipProver(reader).prove().encode();
        }
    }

    /** The verifier meets whatever is decoded; what it accepts ends at a block that is certified. */
    private static void membershipProof(byte[] bytes) throws Throwable {
        Promises.canonical(IllegalArgumentException.class, MembershipProof::decode, MembershipProof::encode)
                .check(bytes);
        Promises.refuses(IllegalArgumentException.class, each -> MEMBERSHIPS.verify(MembershipProof.decode(each)))
                .check(bytes);
    }

    /** A verifier judges whatever is decoded, and throws nothing. */
    private static <T> void proof(
            byte[] bytes, Promises.Decode<T> decode, Function<T, byte[]> encode, Function<T, ?> verify)
            throws Throwable {
        byte[] sealed = Sealing.crcAtEnd(bytes);
        Promises.canonical(IllegalArgumentException.class, decode, encode).check(sealed);
        T proof;
        try {
            proof = decode.decode(sealed);
        } catch (IllegalArgumentException e) {
            return;
        }
        verify.apply(proof);
    }

    /** Returns a proof of an order of block 1 by the certificate of block 2; the nodes signed what it leads to. */
    private static ResultProof resultProof() {
        ResultPlace place = new ResultPlace(SampleChain.BROKER, 1, 0, 0, 2);
        byte[] cells = new byte[2 * ResultCell.LENGTH];
        List<Digest> path = List.of(Digest.sha256(new byte[] {5}));
        Digest leaf = Digest.of(ResultLeaf.hash(place.brokerId(), place.firstSequence(), cells));
        ResultRoot root = new ResultRoot(
                place.leafCount(),
                ResultPath.root(leaf, place.leafIndex(), place.leafCount(), path)
                        .orElseThrow());
        ResultRoot later = new ResultRoot(1, Digest.sha256(new byte[] {6}));
        byte[] digest = Digest.ZERO.bytes();
        ResultLink link = new ResultLink();
        link.apply(digest, 1, root);
        link.apply(digest, 2, later);
        return new ResultProof(
                SampleChain.GENESIS.digest(),
                1,
                place,
                cells,
                path,
                Digest.ZERO,
                List.of(later),
                SampleChain.certificate(SampleChain.blocks().get(1), Digest.of(digest)));
    }

    private static PositionProof positionProof() {
        return new PositionProof(
                SampleChain.BROKER,
                2,
                List.of(resultProof()),
                inclusionProofs().stream().map(InclusionProof::decode).toList());
    }

    /** Returns the files of the sample chain's archive. */
    private static MemoryFiles files() {
        MemoryFiles files = new MemoryFiles();
        try (BlockArchive archive = open(files)) {
            for (Block block : SampleChain.blocks()) {
                archive.append(block);
            }
            archive.putCertificate(certificate());
            archive.putCertificate(SampleChain.certificate(SampleChain.blocks().get(3)));
            archive.sync();
        }
        return files;
    }

    private static BlockLocation location() {
        return new BlockLocation(2, Digest.sha256(new byte[] {2}), 1, 4_096, 700, 17);
    }

    private static BlockArchive open(MemoryFiles files) {
        return BlockArchive.open(files.directory(), CONFIG, new CallerThread(), () -> 77);
    }

    /** A reader shows what it can and names the rest; a writer repairs what a crash left, or refuses the archive. */
    private static void archive(String name, byte[] bytes) {
        MemoryFiles files = files().put(name, bytes);
        try (ArchiveReader reader = ArchiveReader.open(files.directory(), CONFIG)) {
            ArchiveInspection.of(reader);
            read(reader.lastSequence(), reader::read);
        } catch (ArchiveException | ChainViolationException e) {
            // Damaged, or of another chain.
        }
        try (BlockArchive archive = open(files)) {
            read(archive.lastSequence(), archive::read);
            archive.latestCertificate();
        } catch (ArchiveException | ChainViolationException e) {
            // The same.
        }
    }

    private static void read(long last, LongFunction<Optional<byte[]>> blocks) {
        for (long sequence = 1; sequence <= Math.min(last, SampleChain.BLOCKS_PER_SEGMENT); sequence++) {
            blocks.apply(sequence);
        }
    }
}
