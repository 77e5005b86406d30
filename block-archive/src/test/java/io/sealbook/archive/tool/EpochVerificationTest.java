package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.checkpointInterval;
import static io.sealbook.archive.administration.ChangingChain.fingerprint;
import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.replaceNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.crypto.Signer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chains whose nodes change: each certificate is judged by the nodes of its block's epoch. */
class EpochVerificationTest {
    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(11);
    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path genesis;

    @BeforeEach
    void writeGenesis() throws IOException {
        archive = directory.resolve("archive");
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
    }

    @Test
    void shouldJudgeEachCertificateByTheNodesOfItsEpoch() {
        Signer key = chain.newKey();
        chain.appendOrders(4);
        chain.append(chain.transaction(1, replaceNode(3, key)));
        chain.certify();
        chain.changeIdentity(3, key);
        chain.appendOrders(3);
        chain.certify();
        chain.append(chain.transaction(2, halt(true)));
        chain.replace(3, 0);
        chain.replace(4, 1);
        chain.appendOrders(2);
        chain.writeTo(archive);

        assertThat(verify()).as(out::toString).isZero();
        assertThat(lines())
                .containsSubsequence(
                        "block 5: transaction 1: node 3 replaced: " + fingerprint(key) + ", approved by 0, 1, 3",
                        "epoch 1 from block 6",
                        "block 9: transaction 2: instrument 1 halted, approved by 0, 1, 3",
                        "epoch 2 from block 11",
                        "epoch 3 from block 12",
                        "certificates 5",
                        "certified 1..13 of 13");
        assertThat(verify("--from=12")).isZero();
        assertThat(lines()).contains("epoch 1 from block 6", "epoch 3 from block 12", "certified 12..13 of 13");
    }

    @Test
    void shouldRefuseTheKeyOfTheNextEpochUnderTheLastBlockOfOne() {
        Signer key = chain.newKey();
        chain.append(chain.transaction(1, replaceNode(3, key)));
        chain.changeIdentity(3, key);
        chain.certify();
        chain.appendOrders(1);
        chain.writeTo(archive);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains("fault certificate 1: valid signatures of nodes [0, 1], expected of 3 nodes", "faults 1");
    }

    @Test
    void shouldRefuseAReplacedKeyFromTheNextBlockOn() {
        chain.append(chain.transaction(1, replaceNode(3, chain.newKey())));
        chain.certify();
        chain.appendOrders(1);
        chain.writeTo(archive);

        assertThat(verify()).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "fault certificate 2: valid signatures of nodes [0, 1], expected of 3 nodes",
                        "certified 1..1 of 2",
                        "faults 1");
    }

    @Test
    void shouldMeasureTheTailByTheIntervalOfItsEpoch() {
        chain.appendOrders(3);
        chain.append(chain.transaction(1, checkpointInterval(2)));
        chain.writeUncertifiedTo(archive);
        assertThat(verify()).isEqualTo(4);
        assertThat(lines()).contains("epoch 1 from block 5", "uncertified 1..4");

        chain.certify();
        chain.appendOrders(1);
        chain.writeUncertifiedTo(directory.resolve("one"));
        assertThat(run("verify", directory.resolve("one"), "--genesis", genesis))
                .isEqualTo(4);
        assertThat(run("verify", directory.resolve("one"), "--genesis", genesis, "--allow-uncertified-tail"))
                .isZero();

        chain.appendOrders(1);
        chain.writeUncertifiedTo(directory.resolve("two"));
        assertThat(run("verify", directory.resolve("two"), "--genesis", genesis))
                .isEqualTo(1);
        assertThat(lines())
                .contains("fault blocks 5..6 are certified by nothing: 2 blocks, expected at most 1", "faults 1");
    }

    @Test
    void shouldRepairCertificatesOfAllEpochs() throws IOException {
        chain.appendOrders(2);
        chain.certify();
        chain.replace(1, 3);
        chain.appendOrders(1);
        chain.certify();
        chain.replace(2, 0);
        chain.appendOrders(1);
        chain.writeTo(archive);
        Path copy = directory.resolve("copy");
        chain.writeTo(copy);
        Path log = archive.resolve("certificates.log");
        byte[] bytes = Files.readAllBytes(log);
        int record = (bytes.length - 48) / 5;
        for (int i = 0; i < 3; i++) {
            bytes[48 + i * record + 100] ^= 1;
        }
        Files.write(log, bytes);

        assertThat(run("repair", archive, "--from", copy, "--genesis", genesis))
                .as(out::toString)
                .isZero();
        assertThat(lines()).contains("repaired certificates: kept 2, took 3");
        assertThat(verify()).isZero();
        assertThat(lines()).contains("certificates 5");
    }

    /** The other archive does not know the nodes that signed the later certificates. */
    @Test
    void shouldKeepWholeCertificatesOfEpochsThatTheOtherArchiveDoesNotReach() throws IOException {
        chain.appendOrders(2);
        chain.certify();
        chain.appendOrders(2);
        chain.certify();
        int before = chain.length();
        chain.replace(1, 3);
        chain.replace(2, 0);
        chain.appendOrders(1);
        chain.writeTo(archive);
        Path copy = directory.resolve("copy");
        chain.writePrefixTo(copy, before);
        Path log = archive.resolve("certificates.log");
        byte[] whole = Files.readAllBytes(log);
        byte[] damaged = whole.clone();
        damaged[48 + 100] ^= 1;
        Files.write(log, damaged);

        assertThat(run("repair", archive, "--from", copy, "--genesis", genesis))
                .as(out::toString)
                .isZero();

        assertThat(lines()).contains("repaired certificates: kept 4, took 1");
        assertThat(Files.readAllBytes(log)).isEqualTo(whole);
        try (Stream<Path> kept = Files.list(archive.resolve("damaged"))) {
            assertThat(kept).singleElement().satisfies(file -> assertThat(file).hasBinaryContent(damaged));
        }
        assertThat(verify()).as(out::toString).isZero();
    }

    /** A log that lies in the wrong directory is whole: nothing is written in its place. */
    @Test
    void shouldNotRepairTheCertificatesOfAnotherChain() throws IOException {
        chain.appendOrders(2);
        chain.writeTo(archive);
        Path copy = directory.resolve("copy");
        chain.writeTo(copy);
        ChangingChain other = new ChangingChain(12);
        other.appendOrders(2);
        other.writeTo(directory.resolve("other"));
        byte[] ofOther = Files.readAllBytes(directory.resolve("other").resolve("certificates.log"));
        Path log = Files.write(archive.resolve("certificates.log"), ofOther);

        assertThat(run("repair", archive, "--from", copy, "--genesis", genesis)).isEqualTo(3);

        assertThat(out.toString()).contains("belongs to genesis digest ").contains("move the file away");
        assertThat(Files.readAllBytes(log)).isEqualTo(ofOther);
    }

    @Test
    void shouldPrintTheNodesAsOfABlock() {
        Signer key = chain.newKey();
        chain.append(chain.transaction(1, replaceNode(2, key)));
        chain.appendOrders(1);
        chain.writeTo(archive);

        assertThat(run("members", archive, "--genesis", genesis)).isZero();
        assertThat(lines()).contains("epoch 1 from block 2", "node 2 " + fingerprint(key));
        assertThat(run("members", archive, "--genesis", genesis, "--block", 1)).isZero();
        assertThat(lines()).contains("epoch 0 from block 1").doesNotContain("node 2 " + fingerprint(key));
        assertThat(run("members", archive, "--genesis", genesis, "--json")).isZero();
        assertThat(out.toString()).contains("\"epoch\":1,\"epochBlock\":1,");
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
