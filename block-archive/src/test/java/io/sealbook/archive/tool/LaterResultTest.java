package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.removeNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultRoot;
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
 * Results of later epochs, judged by the genesis file and a membership proof: block 2 replaces node 0, block 4 adds
 * node 4, and block 6 removes it.
 */
class LaterResultTest {
    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(31);
    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path genesis;
    private Path file;

    private byte[] ofFourNodes;
    private byte[] ofTooFewOfFive;
    private byte[] ofFiveNodes;
    private byte[] ofTheNodeThatLeft;
    private byte[] afterItLeft;

    @BeforeEach
    void write() throws IOException {
        archive = directory.resolve("archive");
        file = directory.resolve("membership.proof");
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
        chain.appendOrders(1);
        chain.replace(1, 0);
        chain.appendOrders(1);
        chain.certify();
        ofFourNodes = proof(3, 0, 1, 3);
        chain.add(2);
        chain.appendOrders(1);
        ofTooFewOfFive = proof(5, 0, 1, 4);
        ofFiveNodes = proof(5, 0, 1, 3, 4);
        chain.append(chain.proposed(0, chain.approved(3, List.of(removeNode(4)), 0, 1, 3, 4)));
        chain.certify(0, 1, 3, 4);
        chain.appendOrders(1);
        ofTheNodeThatLeft = proof(7, 0, 1, 4);
        afterItLeft = proof(7, 0, 1, 3);
        chain.writeUncertifiedTo(archive);
        assertThat(run("members", archive, "--genesis", genesis, "--out", file))
                .as(out::toString)
                .isZero();
    }

    @Test
    void shouldProveResultsByTheNodesOfTheirEpoch() throws IOException {
        assertProven(ofFourNodes, 1, 3);
        assertProven(ofFiveNodes, 2, 4);
        assertProven(afterItLeft, 3, 3);
    }

    @Test
    void shouldRefuseTooFewNodesOfTheEpochAndOneThatHasLeft() throws IOException {
        for (String option : List.of("--membership", "--archive")) {
            Path known = option.equals("--archive") ? archive : file;
            assertThat(verify(ofTooFewOfFive, option, known)).isEqualTo(1);
            assertThat(lines())
                    .contains(
                            "fault SIGNATURES",
                            "fact valid signatures of nodes [0, 1, 4], expected of 4 nodes of epoch 2");
            assertThat(verify(ofTheNodeThatLeft, option, known)).isEqualTo(1);
            assertThat(lines()).contains("fact valid signatures of nodes [0, 1], expected of 3 nodes of epoch 3");
        }
    }

    @Test
    void shouldNameTheFirstBlockThatIsNotKnown() throws IOException {
        assertThat(verify(ofFourNodes)).isEqualTo(1);
        assertThat(lines())
                .contains("fact valid signatures of nodes [1, 3], expected of 3 nodes of epoch 0; nodes that were"
                        + " replaced from block 1 on are not known here");

        Path early = directory.resolve("early.proof");
        Path earlyArchive = directory.resolve("early");
        chain.writePrefixTo(earlyArchive, 3);
        assertThat(run("members", earlyArchive, "--genesis", genesis, "--out", early))
                .isZero();
        assertThat(verify(ofFourNodes, "--membership", early)).isZero();
        assertThat(verify(ofTooFewOfFive, "--membership", early)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.endsWith("from block 3 on are not known here"));
    }

    private void assertProven(byte[] proof, int epoch, int quorum) throws IOException {
        for (String option : List.of("--membership", "--archive")) {
            assertThat(verify(proof, option, option.equals("--archive") ? archive : file))
                    .as(out::toString)
                    .isZero();
            assertThat(lines()).contains("verdict proven", "epoch " + epoch, "quorum " + quorum);
        }
    }

    /** Returns the proof of the only result of a block under a certificate of that block. */
    private byte[] proof(int block, int... signers) {
        byte[] cells = new byte[ResultCell.LENGTH];
        new ResultCell(0, 0, ResultEvent.ACCEPTED, 0, 5, 0, 80).write(cells, 0);
        byte[] digest = new byte[Digest.LENGTH];
        new ResultLink().apply(digest, block, new ResultRoot(1, Digest.of(ResultLeaf.hash(1, 17, cells))));
        return new ResultProof(
                        chain.genesisFile().digest(),
                        block,
                        new ResultPlace(1, 17, 0, 0, 1),
                        cells,
                        List.of(),
                        Digest.ZERO,
                        List.of(),
                        chain.certificate(block, Digest.of(digest), signers))
                .encode();
    }

    private int verify(byte[] proof, Object... options) throws IOException {
        Path proofFile = Files.write(directory.resolve("result.proof"), proof);
        Object[] arguments = {"verify-proof", proofFile, "--genesis", genesis};
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
