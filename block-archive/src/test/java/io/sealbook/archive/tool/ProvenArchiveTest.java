package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.halt;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.proof.MembershipProof;
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

/** {@code verify --against} a membership proof: what an archive alone cannot show, without another archive. */
class ProvenArchiveTest {
    private static final int SEED = 31;

    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(SEED);
    private final StringWriter out = new StringWriter();
    private Path genesis;
    private Path proof;

    /** Blocks 2 and 4 hold transactions, block 5 is the newest certified one. */
    @BeforeEach
    void write() throws IOException {
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
        chain.appendOrders(1);
        chain.append(chain.transaction(1, halt(true)));
        chain.appendOrders(1);
        chain.certify();
        chain.append(chain.transaction(2, halt(false)));
        chain.appendOrders(1);
        chain.certify();
        proof = directory.resolve("members.proof");
        assertThat(run("members", archive(5), "--genesis", genesis, "--out", proof))
                .isZero();
    }

    @Test
    void shouldFindTheBlocksThatTheProofNames() throws IOException {
        assertThat(verify(archive(5), proof)).isZero();
        assertThat(lines()).contains("against 3 equal blocks, the nodes have certified block 5", "faults 0");
    }

    /** With its certificates: by itself it is a right archive of a node that was stopped earlier. */
    @Test
    void shouldNameBlocksThatWereCutOff() throws IOException {
        assertThat(run("verify", archive(3), "--genesis", genesis)).isZero();

        assertThat(verify(archive(3), proof)).isEqualTo(4);
        assertThat(lines())
                .contains(
                        "against 1 equal blocks, the nodes have certified block 5",
                        "behind 2 blocks that the nodes have certified");
    }

    /** The members' keys signed both: the proof that somebody else has shows that this one is not the chain. */
    @Test
    void shouldFindAnotherHistory() throws IOException {
        ChangingChain other = new ChangingChain(SEED);
        other.appendOrders(5);
        other.certify();
        Path forked = directory.resolve("forked");
        other.writeTo(forked);
        assertThat(run("verify", forked, "--genesis", genesis)).isZero();

        assertThat(verify(forked, proof)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault block 2 has hash "));
    }

    @Test
    void shouldRefuseAProofThatDoesNotHold() throws IOException {
        MembershipProof whole = MembershipProof.decode(Files.readAllBytes(proof));
        MembershipProof shorter = new MembershipProof(
                whole.genesisDigest(),
                whole.tip(),
                whole.certificate(),
                whole.transactions().subList(0, 1));
        Files.write(proof, shorter.encode());

        assertThat(verify(archive(5), proof)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault the membership proof does not hold: "));
    }

    /** The archive may have been cut off after the block that the proof is about. */
    @Test
    void shouldNotTakeAnArchiveForProvenThatIsReadFromAfterTheNewestProvenBlock() throws IOException {
        chain.appendOrders(2);
        chain.certify();

        assertThat(run("verify", archive(7), "--genesis", genesis, "--from", 6, "--against", proof))
                .isEqualTo(4);
        assertThat(lines())
                .contains(
                        "against 0 equal blocks, the nodes have certified block 5",
                        "not compared: block 5, the newest certified one",
                        "faults 0");
        assertThat(run("verify", archive(7), "--genesis", genesis, "--from", 5, "--against", proof))
                .isZero();
    }

    @Test
    void shouldNeedTheGenesisFile() throws IOException {
        assertThat(run("verify", archive(5), "--against", proof)).isEqualTo(2);
        assertThat(verify(archive(5), directory.resolve("absent"))).isEqualTo(3);
        assertThat(verify(archive(5), genesis)).as("no membership proof").isEqualTo(3);
    }

    /** Returns an archive with the first blocks and their certificates. */
    private Path archive(int blocks) throws IOException {
        Path archive = directory.resolve("archive" + blocks);
        if (!Files.exists(archive)) {
            chain.writePrefixTo(archive, blocks);
        }
        return archive;
    }

    private int verify(Path archive, Path against) {
        return run("verify", archive, "--genesis", genesis, "--against", against);
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
