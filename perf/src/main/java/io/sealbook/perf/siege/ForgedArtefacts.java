package io.sealbook.perf.siege;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** What somebody writes who knows the formats: every checksum is right. */
final class ForgedArtefacts {
    private static final int CHECKSUM_LENGTH = 4;

    private ForgedArtefacts() {}

    /**
     * Has one signature under each certificate be another one.
     *
     * @param archive that nobody uses
     * @param certificates name of the file that has them
     */
    static void forgeCertificates(Path archive, String certificates) throws IOException {
        List<CheckpointCertificate> genuine = new ArrayList<>();
        ArchiveConfig config;
        try (ArchiveReader reader = ArchiveReader.open(archive, Durability.PROCESS)) {
            config = new ArchiveConfig(reader.genesisDigest(), reader.blocksPerSegment(), Durability.PROCESS);
            Optional<CheckpointCertificate> next = reader.certificateAtOrAfter(1);
            while (next.isPresent()) {
                genuine.add(next.get());
                next = reader.certificateAtOrAfter(next.get().sequence() + 1);
            }
        }
        Files.delete(archive.resolve(certificates));
        try (BlockArchive forged = BlockArchive.open(archive, config)) {
            genuine.forEach(certificate -> forged.putCertificate(withOtherSignature(certificate)));
        }
    }

    private static CheckpointCertificate withOtherSignature(CheckpointCertificate certificate) {
        List<CertificateSignature> signatures = new ArrayList<>(certificate.signatures());
        CertificateSignature first = signatures.getFirst();
        signatures.set(0, new CertificateSignature(first.nodeId(), changed(first.signature())));
        return new CheckpointCertificate(
                certificate.sequence(),
                certificate.chainHash(),
                certificate.resultDigest(),
                certificate.proposalDigest(),
                signatures);
    }

    /**
     * Returns proofs of which one part is another one, by what that is.
     *
     * @param genuine encoded inclusion proof that carries its batch
     */
    static Map<String, byte[]> proofs(byte[] genuine) {
        InclusionProof proof = InclusionProof.decode(genuine);
        CheckpointCertificate forged = withOtherSignature(proof.certificate());
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        proofs.put(
                "whose certificate somebody else signed",
                proof(proof, proof.batchIndex(), forged, proof.signedBatch()));
        proofs.put(
                "whose batch somebody else signed",
                proof(proof, proof.batchIndex(), proof.certificate(), changed(proof.signedBatch())));
        proofs.put("of another place", proof(proof, proof.batchIndex() + 1, proof.certificate(), proof.signedBatch()));
        return proofs;
    }

    private static byte[] proof(InclusionProof proof, int index, CheckpointCertificate certificate, byte[] batch) {
        return new InclusionProof(
                        proof.genesisDigest(),
                        index,
                        proof.batchId(),
                        proof.header(),
                        proof.merklePath(),
                        proof.laterHeaders(),
                        certificate,
                        batch)
                .encode();
    }

    /** Returns the bytes with another one before the last: of a signature r, s, v at their end, a part of s. */
    private static byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        changed[changed.length - 2] ^= 1;
        return changed;
    }

    /**
     * Returns a proof with another byte and the right checksum, which is its end.
     *
     * @param genuine encoded inclusion proof
     * @param at place of the byte, before the checksum
     */
    static byte[] withOtherByte(byte[] genuine, int at) {
        byte[] forged = genuine.clone();
        forged[at] ^= 0x20;
        int end = forged.length - CHECKSUM_LENGTH;
        CRC32C checksum = new CRC32C();
        checksum.update(forged, 0, end);
        ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) checksum.getValue());
        return forged;
    }
}
