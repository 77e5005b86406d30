package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.addBroker;
import static io.sealbook.archive.administration.ChangingChain.addKey;
import static io.sealbook.archive.administration.ChangingChain.fingerprint;
import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.revokeKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.UncheckedArchive;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.crypto.Signer;
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

/** Chains whose consortium changes, true ones and forged ones: {@code verify} must know one from the other. */
class ForgedMembershipTest {
    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(3);
    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path genesis;

    @BeforeEach
    void writeGenesis() throws IOException {
        archive = directory.resolve("archive");
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
    }

    @Test
    void shouldPassAChainWhoseKeysRotate() {
        Signer second = chain.newKey();
        Signer newcomer = chain.newKey();
        chain.appendOrders(2);
        chain.append(chain.orders(1), chain.transaction(1, addKey(1, 2, second)));
        chain.append(chain.orders(1), chain.orders(1, 2, second));
        chain.append(chain.transaction(2, revokeKey(1, 1), addBroker(9, newcomer)));
        chain.append(chain.orders(1, 2, second), chain.orders(9, 1, newcomer));
        chain.append(chain.transaction(2, halt(true)));
        // Its number was taken before the key was revoked; engines refuse it.
        chain.append(chain.orders(1));
        chain.writeTo(archive);

        assertThat(verify()).as(out::toString).isZero();
        assertThat(lines())
                .containsSubsequence(
                        "block 3: transaction 1: key 2 of broker 1 added: " + fingerprint(second)
                                + ", approved by 0, 1, 3",
                        "block 5: transaction 2: key 1 of broker 1 revoked; broker 9 added: accounts none, quota 1,"
                                + " key 1 " + fingerprint(newcomer) + ", approved by 0, 1, 3",
                        "block 7: transaction 2 refused: transaction 2, expected 3",
                        "batches 13",
                        "transactions 2",
                        "certified 1..8 of 8",
                        "faults 0");
    }

    @Test
    void shouldRefuseAKeyThatNobodyAdded() {
        chain.append(chain.orders(1, 2, chain.newKey()), chain.orders(1));
        chain.writeTo(archive);

        assertFault("block 1: batch 0 names no known key: broker 1, key 2");
    }

    @Test
    void shouldRefuseAKeyThatIsAddedLaterOrByTheSameBlock() {
        Signer second = chain.newKey();
        chain.append(chain.orders(1, 2, second));
        chain.append(chain.transaction(1, addKey(1, 2, second)), chain.orders(1, 2, second));
        chain.append(chain.orders(1, 2, second));
        chain.writeTo(archive);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "fault block 1: batch 0 names no known key: broker 1, key 2",
                        "fault block 2: batch 1 names no known key: broker 1, key 2",
                        "faults 2");
    }

    @Test
    void shouldRefuseASignatureOfAnotherKeyOfTheBroker() {
        Signer second = chain.newKey();
        chain.append(chain.transaction(1, addKey(1, 2, second)));
        chain.append(chain.orders(1, 1, second));
        chain.writeTo(archive);

        // The schemes of both keys may differ, which is found before.
        assertThat(verify()).isEqualTo(1);
        assertThat(lines()).contains("faults 1").anyMatch(line -> line.startsWith("fault block 2: batch 0 "));
    }

    @Test
    void shouldRefuseAKeyWhoseTransactionWasRefused() {
        Signer second = chain.newKey();
        chain.append(chain.proposed(1, chain.approved(1, List.of(addKey(1, 2, second)), 0, 1)));
        chain.append(chain.orders(1, 2, second));
        chain.writeTo(archive);

        assertFault("block 2: batch 0 names no known key: broker 1, key 2");
        assertThat(lines()).contains("block 1: transaction 1 refused: approved by nodes [0, 1], expected 3 nodes");
    }

    @Test
    void shouldRefuseAnAdministrativeBatchThatItsProposerDidNotSign() {
        byte[] transaction = chain.approved(1, List.of(halt(true)), 0, 1, 3);
        chain.append(chain.proposed(2, chain.newKeyOfTheSchemeOf(2), transaction));
        chain.writeTo(archive);

        assertFault("block 1: batch 0 is not signed by its proposer");
    }

    @Test
    void shouldRefuseAnAdministrativeBatchOfNoMember() {
        chain.append(chain.proposed(4, chain.newKey(), chain.approved(1, List.of(halt(true)), 0, 1, 3)));
        chain.writeTo(archive);

        assertFault("block 1: batch 0 names no member's key: node 4, key 0");
    }

    @Test
    void shouldRefuseAnAdministrativeBatchInABrokersSession() {
        byte[] batch = chain.transaction(1, halt(true));
        batch[72] = 1;
        batch[73] = batch[74] = batch[75] = 0;
        chain.append(batch);
        chain.writeTo(archive);

        assertFault("block 1: batch 0 is no batch of orders");
    }

    @Test
    void shouldRefuseALinkThatPassesOverATransaction() throws IOException {
        chain.append(chain.transaction(1, halt(true)));
        chain.appendOrders(1);
        chain.append(chain.transaction(2, halt(false)));
        chain.append(1, chain.orders(1));
        chain.appendOrders(1);
        writeUnchecked();

        assertFault("block 4: administration block 1, expected 3");
    }

    @Test
    void shouldRefuseALinkToABlockWithoutTransactions() throws IOException {
        chain.appendOrders(2);
        chain.append(2, chain.orders(1));
        chain.appendOrders(1);
        writeUnchecked();

        assertFault("block 3: administration block 2, expected 0");
        assertThat(lines())
                .contains("signatures of batches and certificates not checked from block 4 on: block 2, which holds"
                        + " administrative batches, could not be read");
    }

    @Test
    void shouldVerifyFromTheMiddleByTheTransactionsBefore() throws IOException {
        Signer second = chain.newKey();
        chain.appendOrders(5);
        chain.append(chain.transaction(1, addKey(1, 2, second)));
        chain.appendOrders(3 * ChangingChain.BLOCKS_PER_SEGMENT);
        chain.append(chain.orders(1, 2, second), chain.orders(2));
        chain.writeTo(archive);
        damage(2);

        assertThat(verify()).isEqualTo(1);
        assertThat(verify("--from=100")).as(out::toString).isZero();
        assertThat(lines())
                .contains(
                        "block 6: transaction 1: key 2 of broker 1 added: " + fingerprint(second)
                                + ", approved by 0, 1, 3",
                        "blocks 100",
                        "transactions 1",
                        "certified 100..199 of 199");
        assertThat(verify("--from=200")).isEqualTo(1);
        assertThat(lines()).contains("fault block 200 is not here: the archive ends with block 199");
    }

    @Test
    void shouldProveNothingWithoutTheTransactionsBefore() throws IOException {
        chain.appendOrders(5);
        chain.append(chain.transaction(1, halt(true)));
        chain.appendOrders(2 * ChangingChain.BLOCKS_PER_SEGMENT);
        chain.writeTo(archive);
        Files.delete(segment(1));

        assertThat(verify("--from=65")).isEqualTo(4);
        assertThat(lines())
                .contains("certified none of 134", "uncertified 65..134", "faults 0")
                .anyMatch(line -> line.startsWith(
                        "signatures of batches and certificates not checked from block 65 on: the membership as"
                                + " of block 65 needs block 6, which holds administrative batches and is not here"));
    }

    @Test
    void shouldJudgeNoSignatureAfterADamagedBlockWithTransactions() throws IOException {
        Signer second = chain.newKey();
        chain.append(chain.transaction(1, addKey(1, 2, second)));
        chain.append(chain.orders(1, 2, second));
        chain.appendOrders(ChangingChain.BLOCKS_PER_SEGMENT);
        chain.writeTo(archive);
        damage(1);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "faults 1",
                        "signatures of batches and certificates not checked from block 2 on: block 1, which holds"
                                + " administrative batches, could not be read")
                .anyMatch(line -> line.startsWith("fault block 1: block damaged"));
    }

    @Test
    void shouldVerifyAChainOfManyTransactions() {
        for (int i = 1; i <= 200; i++) {
            chain.append(chain.transaction(i, halt(i % 2 == 1)), chain.orders(1 + i % 2));
        }
        chain.writeTo(archive);

        assertThat(verify()).isZero();
        assertThat(lines()).contains("transactions 200", "batches 400", "certified 1..200 of 200");
    }

    @Test
    void shouldProveAnOrderUnderARotatedKeyAndTheTransactionThatAddsIt() throws IOException {
        Signer second = chain.newKey();
        chain.append(chain.transaction(1, addKey(1, 2, second)));
        chain.append(chain.orders(1, 2, second));
        chain.writeTo(archive);
        Path order = directory.resolve("order.proof");
        Path transaction = directory.resolve("transaction.proof");

        assertThat(run("prove", archive, "--block", 2, "--index", 0, "--out", order))
                .isZero();
        assertThat(run("verify-proof", order, "--genesis", genesis)).isZero();
        assertThat(lines())
                .contains(
                        "verdict proven",
                        "content proven",
                        "signature not checked: its key is not known here; needs --membership FILE, or --archive DIR,"
                                + " with later blocks");
        assertThat(run("verify-proof", order, "--genesis", genesis, "--archive", archive))
                .isZero();
        assertThat(lines()).contains("verdict proven", "signature valid");
        assertThat(run("prove", archive, "--block", 1, "--index", 0, "--out", transaction))
                .isZero();
        assertThat(run("verify-proof", transaction, "--genesis", genesis, "--orders"))
                .isZero();
        assertThat(lines())
                .contains(
                        "verdict proven",
                        "transaction 1 proposed by node 2: key 2 of broker 1 added: " + fingerprint(second)
                                + ", approvals of 0, 1, 3 not checked");
    }

    @Test
    void shouldRepairABlockUnderARotatedKey() throws IOException {
        Signer second = chain.newKey();
        chain.append(chain.transaction(1, addKey(1, 2, second)));
        chain.append(chain.orders(1, 2, second));
        chain.appendOrders(ChangingChain.BLOCKS_PER_SEGMENT);
        chain.writeTo(archive);
        Path copy = directory.resolve("copy");
        chain.writeTo(copy);
        damage(1);
        damage(2);

        assertThat(run("repair", archive, "--from", copy, "--genesis", genesis))
                .as(out::toString)
                .isZero();
        assertThat(verify()).isZero();
    }

    private void assertFault(String fact) {
        assertThat(verify()).isEqualTo(1);
        assertThat(lines()).contains("fault " + fact, "faults 1");
    }

    private void writeUnchecked() throws IOException {
        UncheckedArchive.write(archive, chain.config(), chain.blocks());
        Path certified = directory.resolve("certified");
        try (BlockArchive empty = BlockArchive.open(certified, chain.config())) {
            empty.putCertificate(chain.certificate(chain.length()));
        }
        Files.copy(certified.resolve("certificates.log"), archive.resolve("certificates.log"));
    }

    /** Flips a bit in a block of a closed segment. */
    private void damage(int sequence) throws IOException {
        Path file = segment(1);
        byte[] bytes = Files.readAllBytes(file);
        byte[] block = chain.block(sequence).bytes();
        int at = indexOf(bytes, block);
        bytes[at + block.length - 1] ^= 1;
        Files.write(file, bytes);
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at <= bytes.length - part.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("not there");
    }

    private Path segment(long first) {
        return archive.resolve(String.format("segment-%019d.blocks", first));
    }

    private int verify(String... options) {
        Object[] arguments = {"verify", archive, "--genesis", genesis};
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
