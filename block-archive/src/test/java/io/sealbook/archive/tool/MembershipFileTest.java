package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.replaceNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.archive.proof.MembershipProofVerifier;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.vocabulary.BatchId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs of later epochs, judged by the genesis file and a membership proof, true ones and forged ones. */
class MembershipFileTest {
    private static final String REFUSED = "verdict refused";
    private static final SignatureVerifier VERIFIER = SignatureProviders.named(BouncyCastleProvider.NAME);

    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(21);
    private final ChangingChain stranger = new ChangingChain(22);
    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path genesis;
    private Path file;
    private MembershipProof whole;

    /** Blocks 2 and 5 replace nodes 3 and 0, block 4 halts an instrument. */
    @BeforeEach
    void write() throws IOException {
        archive = directory.resolve("archive");
        file = directory.resolve("membership.proof");
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
        chain.appendOrders(1);
        chain.replace(1, 3);
        chain.appendOrders(1);
        chain.certify();
        chain.append(chain.transaction(2, halt(true)));
        chain.replace(3, 0);
        chain.appendOrders(1);
        chain.writeTo(archive);
        assertThat(run("members", archive, "--genesis", genesis, "--out", file)).isZero();
        whole = MembershipProof.decode(Files.readAllBytes(file));
    }

    @Test
    void shouldJudgeProofsOfAllEpochs() {
        for (int block = 1; block <= 6; block++) {
            int epoch = block <= 2 ? 0 : block <= 5 ? 1 : 2;
            assertThat(verify(proof(block), "--membership", file))
                    .as(out::toString)
                    .isZero();
            assertThat(lines()).contains("verdict proven", "epoch " + epoch);
            assertThat(verify(proof(block), "--archive", archive)).isZero();
            assertThat(lines()).contains("verdict proven", "epoch " + epoch);
        }
    }

    @Test
    void shouldSayThatTheGenesisFileAloneIsNotEnough() {
        assertThat(verify(proof(2))).isZero();
        assertThat(lines()).contains("verdict proven", "epoch 0");

        assertThat(verify(proof(6))).isEqualTo(1);
        assertThat(lines())
                .contains(
                        REFUSED,
                        "fault EPOCH",
                        "fact valid signatures of nodes [1], expected of 3 nodes of epoch 0; the certificate may be of"
                                + " a later epoch: block 5 holds administrative transactions that are not known here",
                        "needs --membership FILE, or --archive DIR, with later blocks");
    }

    @Test
    void shouldSayThatTheFileEndsTooEarly() throws IOException {
        write(new MembershipProver(source(4)).prove());

        assertThat(verify(proof(3), "--membership", file)).isZero();
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines())
                .contains("fault EPOCH")
                .anyMatch(line -> line.contains("of epoch 1; the certificate may be of a later epoch: block 5"));
    }

    @Test
    void shouldRefuseAFileThatLeavesOutABlock() throws IOException {
        for (int left = 0; left < 3; left++) {
            List<InclusionProof> forged = new ArrayList<>(whole.transactions());
            long block = forged.remove(left).header().sequence();
            write(forged);

            assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
            assertThat(lines())
                    .as("without block " + block)
                    .contains(REFUSED)
                    .anyMatch(line -> line.contains("names block " + block + " as the one with administrative batches")
                            || line.contains("valid signatures of nodes"));
        }
    }

    @Test
    void shouldRefuseAFileThatLeavesOutTheFirstOfTwoTransactionsOfABlock() throws IOException {
        chain.append(chain.transaction(4, halt(false)), chain.transaction(5, halt(true)));
        chain.certify();
        MembershipProof two = new MembershipProver(source(7)).prove();
        assertThat(two.transactions()).hasSize(5);
        write(two);
        assertThat(verify(proof(6), "--membership", file)).as(out::toString).isZero();

        List<InclusionProof> swapped = new ArrayList<>(two.transactions());
        Collections.swap(swapped, 3, 4);
        write(new MembershipProof(two.genesisDigest(), two.tip(), two.certificate(), swapped));
        assertRefused("membership proof: batch 0 of block 7 does not follow batch 1");

        List<InclusionProof> later = new ArrayList<>(two.transactions());
        later.remove(3);
        MembershipProof forged = new MembershipProof(two.genesisDigest(), two.tip(), two.certificate(), later);
        assertThat(membership(forged).number())
                .as("the transaction after it is refused")
                .isEqualTo(3);
    }

    @Test
    void shouldRefuseReorderedBlocks() throws IOException {
        List<InclusionProof> forged = new ArrayList<>(whole.transactions());
        Collections.swap(forged, 0, 1);
        write(forged);
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).contains(REFUSED);
    }

    @Test
    void shouldRefuseATransactionThatWasApprovedAndIsInNoBlock() throws IOException {
        byte[] batch = chain.transaction(4, replaceNode(1, chain.newKey()));
        InclusionProof last = whole.transactions().get(2);
        List<InclusionProof> forged = new ArrayList<>(whole.transactions());
        forged.add(new InclusionProof(
                last.genesisDigest(),
                0,
                BatchId.of(batch),
                last.header(),
                last.merklePath(),
                last.laterHeaders(),
                last.certificate(),
                batch));
        write(forged);
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fact membership proof: block 5: MERKLE_PATH"));
    }

    /** The stranger's chain has the same chain id, and its nodes approve and certify whatever they like. */
    @Test
    void shouldRefuseTheFileOfAnotherChain() throws IOException {
        stranger.replace(1, 3);
        MembershipProof strange = new MembershipProver(source(stranger, 1)).prove();
        write(strange);
        assertRefused("membership proof: its genesis digest is not "
                + chain.genesisFile().digest().hex());

        write(new MembershipProof(
                chain.genesisFile().digest(), strange.tip(), strange.certificate(), strange.transactions()));
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fact membership proof: block 1: GENESIS"));

        write(new MembershipProof(chain.genesisFile().digest(), strange.tip(), strange.certificate(), List.of()));
        assertRefused("membership proof: block 1: valid signatures of nodes [], expected of 3 nodes of epoch 0");
    }

    @Test
    void shouldRefuseACertificateOfAnotherBlock() throws IOException {
        write(new MembershipProof(
                whole.genesisDigest(), whole.tip(), whole.transactions().get(0).certificate(), whole.transactions()));
        assertRefused("membership proof: its certificate is not that of block 6");
    }

    @Test
    void shouldRefuseOrdersInPlaceOfATransaction() throws IOException {
        InclusionProof orders = InclusionProof.decode(Files.readAllBytes(proof(1)));
        write(new MembershipProof(whole.genesisDigest(), whole.tip(), whole.certificate(), List.of(orders)));
        assertRefused("membership proof: batch 0 of block 1 is not carried, or not administrative");
    }

    /** Bytes change under a right checksum; no other membership follows from any of them. */
    @Test
    void shouldBelieveNothingElseWhateverByteChanges() {
        byte[] bytes = whole.encode();
        long number = membership(whole).number();
        for (int at = 0; at < bytes.length - Integer.BYTES; at += 13) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            CRC32C crc = new CRC32C();
            crc.update(changed, 0, changed.length - Integer.BYTES);
            ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(changed.length - Integer.BYTES, (int)
                    crc.getValue());
            believe(changed).ifPresent(found -> assertThat(found).isEqualTo(number));
        }
    }

    private OptionalLong believe(byte[] proof) {
        try {
            return OptionalLong.of(membership(MembershipProof.decode(proof)).number());
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    @Test
    void shouldProveNothingBeforeABlockIsCertified() {
        ChangingChain young = new ChangingChain(23);
        young.appendOrders(2);
        MembershipProver prover = new MembershipProver(source(young, 2));
        assertThatThrownBy(prover::prove)
                .isInstanceOf(InclusionProver.NotProvableException.class)
                .hasMessage("no block is certified here");

        young.certify();
        young.append(young.transaction(1, halt(true)));
        assertThat(new MembershipProver(source(young, 3)).prove().transactions())
                .as("a transaction after the certified block")
                .isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoMembershipProof() throws IOException {
        Files.writeString(file, "{\"transactions\": 1");
        assertRefused("membership proof: magic is not SBMEMBR1");
    }

    @Test
    void shouldOverwriteNoFileAndProveNoEarlierBlock() {
        assertThat(run("members", archive, "--genesis", genesis, "--out", file)).isEqualTo(3);
        Path early = directory.resolve("early.proof");
        assertThat(run("members", archive, "--genesis", genesis, "--block", 3, "--out", early))
                .as("a proof is as of a certificate")
                .isEqualTo(2);
        assertThat(early).doesNotExist();
    }

    private void assertRefused(String fact) {
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).containsExactly(REFUSED, "fact " + fact);
    }

    private Membership membership(MembershipProof proof) {
        return new MembershipProofVerifier(chain.genesisFile(), VERIFIER)
                .verify(proof)
                .epochs()
                .last();
    }

    /** Returns the first blocks of the chain, with their certificates. */
    private ArchiveReader source(int blocks) {
        return source(chain, blocks);
    }

    private ArchiveReader source(ChangingChain from, int blocks) {
        Path prefix = directory.resolve("prefix-" + from.genesisFile().digest().hex() + blocks);
        from.writePrefixTo(prefix, blocks);
        return ArchiveReader.open(prefix);
    }

    private void write(List<InclusionProof> transactions) throws IOException {
        write(new MembershipProof(whole.genesisDigest(), whole.tip(), whole.certificate(), transactions));
    }

    private void write(MembershipProof proof) throws IOException {
        proof(6);
        Files.write(file, proof.encode());
    }

    private Path proof(int block) {
        Path proof = directory.resolve("block" + block + ".proof");
        if (!Files.exists(proof)) {
            assertThat(run("prove", archive, "--block", block, "--index", 0, "--out", proof))
                    .isZero();
        }
        return proof;
    }

    private int verify(Path proof, Object... options) {
        Object[] arguments = {"verify-proof", proof, "--genesis", genesis};
        Object[] all = Arrays.copyOf(arguments, arguments.length + options.length);
        System.arraycopy(options, 0, all, arguments.length, options.length);
        return run(all);
    }

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        String[] all = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
        return ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(out, true), all);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }
}
