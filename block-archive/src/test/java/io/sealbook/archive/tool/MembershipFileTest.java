package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.replaceNode;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.protocol.v1.ExecutedTransaction;
import io.sealbook.protocol.v1.ExecutedTransactions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proofs of later epochs, judged by the genesis file and a file of executed transactions, true ones and forged ones.
 */
class MembershipFileTest {
    private static final String REFUSED = "verdict refused";

    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(21);
    private final ChangingChain stranger = new ChangingChain(22);
    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path genesis;
    private Path file;

    /** Blocks 2 and 5 replace nodes 3 and 0, block 4 halts an instrument. */
    @BeforeEach
    void write() throws IOException {
        archive = directory.resolve("archive");
        file = directory.resolve("membership.json");
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
    void shouldSayThatTheFileEndsTooEarly() {
        Path early = directory.resolve("early.json");
        assertThat(run("members", archive, "--genesis", genesis, "--block", 5, "--out", early))
                .isZero();

        assertThat(verify(proof(3), "--membership", early)).isZero();
        assertThat(verify(proof(6), "--membership", early)).isEqualTo(1);
        assertThat(lines()).contains("fault EPOCH").anyMatch(line -> line.contains("of epoch 1; the certificate may"));
    }

    @Test
    void shouldRefuseByAFileWithoutItsLastTransaction() throws IOException {
        ExecutedTransactions.Builder forged = read();
        forged.removeTransactions(2);
        write(forged);

        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines())
                .contains("fault SIGNATURES", "fact valid signatures of nodes [1, 3], expected of 3 nodes of epoch 1");
    }

    @Test
    void shouldRefuseAFileThatLeavesOutATransaction() throws IOException {
        ExecutedTransactions.Builder forged = read();
        forged.removeTransactions(1);
        write(forged);

        assertRefused("membership: the transaction of block 5: transaction 3, expected 2");
    }

    @Test
    void shouldRefuseReorderedTransactions() throws IOException {
        ExecutedTransactions.Builder forged = read();
        ByteString first = forged.getTransactions(0).getTransaction();
        forged.getTransactionsBuilder(0)
                .setTransaction(forged.getTransactions(1).getTransaction());
        forged.getTransactionsBuilder(1).setTransaction(first);
        write(forged);
        assertRefused("membership: the transaction of block 2: approval of node 3 is not signed by it");

        ExecutedTransactions.Builder backwards = read();
        backwards.getTransactionsBuilder(1).setBlock(1);
        write(backwards);
        assertRefused("membership: a transaction in block 1, expected 2..6");
    }

    @Test
    void shouldRefuseATransactionThatTheNodesBeforeItDidNotApprove() throws IOException {
        byte[] ofStrangers = stranger.approved(1, List.of(replaceNode(3, stranger.newKey())), 0, 1, 3);
        ExecutedTransactions.Builder forged = read().clearTransactions();
        forged.addTransactions(transaction(2, ofStrangers));
        write(forged);
        assertRefused("membership: the transaction of block 2: approval of node 0 is not signed by it");

        ChangingChain minority = new ChangingChain(21);
        byte[] ofTwo = minority.approved(1, List.of(replaceNode(3, minority.newKey())), 0, 1);
        write(read().clearTransactions().addTransactions(transaction(2, ofTwo)));
        assertRefused("membership: the transaction of block 2: approved by nodes [0, 1], expected 3 nodes");
    }

    @Test
    void shouldRefuseTheFileOfAnotherChain() throws IOException {
        Path other = directory.resolve("other");
        Path otherGenesis = Files.write(directory.resolve("other.json"), stranger.genesisJson());
        stranger.appendOrders(1);
        stranger.writeTo(other);
        Files.delete(file);
        assertThat(run("members", other, "--genesis", otherGenesis, "--out", file))
                .isZero();

        assertRefused("membership: its genesis digest is not "
                + chain.genesisFile().digest().hex());
    }

    @Test
    void shouldNotProveByAnEpochThatTheFileBeginsLater() throws IOException {
        ExecutedTransactions.Builder forged = read();
        forged.getTransactionsBuilder(2).setBlock(6);
        write(forged);

        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).contains(REFUSED, "fault SIGNATURES");
    }

    @Test
    void shouldTakeATransactionThatWasApprovedAndNeverExecuted() throws IOException {
        byte[] approved = chain.approved(4, List.of(replaceNode(1, chain.newKey())), 0, 1, 3);
        write(read().setThroughBlock(7).addTransactions(transaction(7, approved)));

        assertThat(verify(proof(6), "--membership", file))
                .as("it changes no judgement of a block before it")
                .isZero();
    }

    @Test
    void shouldRefuseWhatIsNoFileOfTransactions() throws IOException {
        Files.writeString(file, "{\"transactions\": 1");
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).contains(REFUSED).anyMatch(line -> line.startsWith("fact membership: "));
    }

    @Test
    void shouldOverwriteNoFile() {
        assertThat(run("members", archive, "--genesis", genesis, "--out", file)).isEqualTo(3);
    }

    private void assertRefused(String fact) {
        assertThat(verify(proof(6), "--membership", file)).isEqualTo(1);
        assertThat(lines()).containsExactly(REFUSED, "fact " + fact);
    }

    private ExecutedTransactions.Builder read() throws IOException {
        ExecutedTransactions.Builder transactions = ExecutedTransactions.newBuilder();
        Path whole = directory.resolve("whole.json");
        if (!Files.exists(whole)) {
            Files.copy(file, whole);
        }
        JsonFormat.parser().merge(Files.readString(whole), transactions);
        return transactions;
    }

    private void write(ExecutedTransactions.Builder transactions) throws IOException {
        Files.writeString(file, JsonFormat.printer().print(transactions));
    }

    private static ExecutedTransaction transaction(long block, byte[] bytes) {
        return ExecutedTransaction.newBuilder()
                .setBlock(block)
                .setTransaction(ByteString.copyFrom(bytes))
                .build();
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
