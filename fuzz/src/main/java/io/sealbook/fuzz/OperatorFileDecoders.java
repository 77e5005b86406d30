package io.sealbook.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.ceremony.CeremonyCheck;
import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.consensus.ceremony.MemberContribution;
import io.sealbook.consensus.endpoint.KnownNodesFile;
import io.sealbook.engine.rebuild.RebuildRecord;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.GenesisContribution;
import io.sealbook.protocol.v1.GenesisSignature;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.KnownNodes;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.SignedContribution;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Files that members pass around, and small files of a node and its engine that operators may touch. */
final class OperatorFileDecoders {
    private static final String FILE = "file";
    private static final byte[] GENESIS_JSON =
            GenesisFile.toJson(SampleChain.GENESIS.genesis()).getBytes(StandardCharsets.UTF_8);

    private OperatorFileDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder("known-nodes", () -> List.of(knownNodes()), OperatorFileDecoders::knownNodes),
                new Decoder(
                        "transaction-file",
                        () -> List.of(transactionFile(), TermsDecoders.nested('[')),
                        Promises.refuses(IllegalArgumentException.class, OperatorFileDecoders::transactionFile)),
                new Decoder(
                        "contribution-file",
                        () -> List.of(json(contribution(1)), TermsDecoders.nested('{')),
                        Promises.refuses(IllegalArgumentException.class, OperatorFileDecoders::contributionFile)),
                new Decoder(
                        "genesis-signatures",
                        () -> List.of(json(signatures())),
                        Promises.refuses(IllegalArgumentException.class, OperatorFileDecoders::signaturesFile)),
                new Decoder(
                        "isolation-notice",
                        () -> List.of(notice().text().getBytes(StandardCharsets.UTF_8)),
                        Promises.refuses(HandOffException.class, OperatorFileDecoders::notice)),
                new Decoder("rebuild-record", () -> List.of(rebuildRecord()), OperatorFileDecoders::rebuildRecord));
    }

    private static byte[] json(Message message) {
        MemoryFiles files = MemoryFiles.with("other", new byte[0]);
        try {
            CeremonyFile.create(files.file(FILE), message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.get(FILE);
    }

    private static byte[] knownNodes() {
        return json(KnownNodes.newBuilder()
                .addAllNodes(SampleChain.GENESIS.genesis().getNodesList())
                .addRecords(TermsDecoders.endpoint().record())
                .build());
    }

    /** Whatever the file says, a node knows where to look for the others. */
    private static void knownNodes(byte[] bytes) throws IOException {
        List<Node> otherwise = SampleChain.GENESIS.genesis().getNodesList();
        List<Node> known =
                KnownNodesFile.present(MemoryFiles.with(FILE, bytes).file(FILE), SampleChain.CHAIN_ID, otherwise);
        Promises.require(!known.isEmpty(), "no node is known");
    }

    private static byte[] transactionFile() {
        try {
            return json(AdministrativeTransaction.parseFrom(SampleChain.TRANSACTION));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object transactionFile(byte[] bytes) throws IOException {
        MemoryFiles files = MemoryFiles.with(FILE, bytes);
        TransactionFile read = TransactionFile.read(files.file(FILE));
        read.replace(read.transaction());
        Promises.require(
                TransactionFile.read(files.file(FILE)).transaction().equals(read.transaction()),
                "another transaction is written");
        TransactionFile.requireFollowed(read.terms(SampleChain.GENESIS.genesis()));
        return read;
    }

    private static SignedContribution contribution(int node) {
        GenesisContribution contribution = GenesisContribution.newBuilder()
                .setChainId(SampleChain.CHAIN_ID)
                .setNode(SampleChain.GENESIS.genesis().getNodes(node))
                .build();
        return MemberContribution.sign(contribution, SampleChain.key(node).signer());
    }

    private static Object contributionFile(byte[] bytes) throws IOException {
        MemoryFiles files = MemoryFiles.with(FILE, bytes);
        SignedContribution read = CeremonyFile.readContribution(files.file(FILE));
        CeremonyFile.replace(files.file(FILE), read);
        Promises.require(
                CeremonyFile.readContribution(files.file(FILE)).equals(read), "another contribution is written");
        return read;
    }

    private static GenesisSignatures signatures() {
        GenesisSignatures.Builder signatures = GenesisSignatures.newBuilder()
                .setGenesisDigest(SampleChain.GENESIS.digest().hex());
        for (int node = 0; node < SampleChain.identities().size(); node++) {
            signatures
                    .addContributions(contribution(node))
                    .addSignatures(GenesisSignature.newBuilder()
                            .setNodeId(node)
                            .setSignature(ByteString.copyFrom(new byte[65])));
        }
        return signatures.build();
    }

    private static Object signaturesFile(byte[] bytes) throws IOException {
        MemoryFiles files = MemoryFiles.with(FILE, bytes);
        GenesisSignatures read = CeremonyFile.readSignatures(files.file(FILE));
        CeremonyFile.replace(files.file(FILE), read);
        Promises.require(CeremonyFile.readSignatures(files.file(FILE)).equals(read), "other signatures are written");
        CeremonyCheck check = CeremonyCheck.of(GENESIS_JSON, read);
        Promises.require(check.signers().isEmpty(), "nobody has signed, and nodes " + check.signers() + " count");
        return read;
    }

    private static IsolationNotice notice() {
        return new IsolationNotice(48, Digest.ZERO, SampleChain.batchId(0), Digest.ZERO, SampleChain.batchId(1), 32);
    }

    private static Object notice(byte[] bytes) {
        Optional<IsolationNotice> read =
                IsolationNotice.read(MemoryFiles.with(FILE, bytes).file(FILE));
        IsolationNotice notice = read.orElseThrow();
        Promises.require(IsolationNotice.of(notice.text()).equals(notice), "another notice is written");
        return notice;
    }

    private static byte[] rebuildRecord() {
        MemoryFiles files = MemoryFiles.with("other", new byte[0]);
        new RebuildRecord(notice(), 2, 32, true, Optional.of(SampleChain.batchId(1)), 3).write(files.file(FILE));
        return files.get(FILE);
    }

    /** A damaged record is none. */
    private static void rebuildRecord(byte[] bytes) {
        MemoryFiles files = MemoryFiles.with(FILE, bytes);
        Optional<RebuildRecord> read = RebuildRecord.read(files.file(FILE));
        read.ifPresent(record -> {
            record.write(files.file(FILE));
            Promises.require(RebuildRecord.read(files.file(FILE)).equals(read), "another record is written");
        });
    }
}
