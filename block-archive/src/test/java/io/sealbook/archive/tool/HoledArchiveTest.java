package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.BLOCKS_PER_SEGMENT;
import static io.sealbook.archive.administration.ChangingChain.halt;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.administration.ChangingChain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The error of an archive with a hole names a command that verifies what follows, and what that does not check. */
class HoledArchiveTest {
    private static final int LAST = 2 * BLOCKS_PER_SEGMENT + 1;
    private static final String LIMIT =
            "it checks signatures and certificates only if no block before " + LAST + " holds administrative batches";

    @TempDir
    private Path directory;

    private final ChangingChain chain = new ChangingChain(13);
    private final StringWriter out = new StringWriter();

    @Test
    void shouldProveTheBlocksAfterAHole() throws IOException {
        appendUntilLast();

        assertThat(verifyAsTheErrorSays()).as(out::toString).isZero();
        assertThat(lines()).contains("blocks 1", "certified " + LAST + ".." + LAST + " of " + LAST, "faults 0");
    }

    @Test
    void shouldNameWhatIsNotCheckedAfterAChangeOfTheConsortium() throws IOException {
        chain.append(chain.orders(1));
        chain.append(chain.transaction(1, halt(true)));
        appendUntilLast();

        assertThat(verifyAsTheErrorSays()).as(out::toString).isEqualTo(4);
        assertThat(lines())
                .contains("blocks 1", "certified none of " + LAST, "faults 0")
                .anyMatch(line -> line.startsWith(
                        "signatures of batches and certificates not checked from block " + LAST + " on: "));
    }

    private void appendUntilLast() {
        while (chain.length() < LAST) {
            chain.append(chain.orders(1));
        }
    }

    /** Returns the exit code of the command in the error, for a directory with the files that it names. */
    private int verifyAsTheErrorSays() throws IOException {
        Path archive = directory.resolve("archive");
        Path genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
        chain.writeTo(archive);
        Files.delete(archive.resolve(segment(1 + BLOCKS_PER_SEGMENT)));

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(3);
        assertThat(out.toString())
                .contains("copy " + segment(LAST) + ", those after it and certificates.log to a new directory: ")
                .contains("block-archive.jar verify DIR --genesis FILE --from " + LAST + "; " + LIMIT);

        Path rest = Files.createDirectory(directory.resolve("rest"));
        for (String file : List.of(segment(LAST), "certificates.log")) {
            Files.copy(archive.resolve(file), rest.resolve(file));
        }
        return run("verify", rest, "--genesis", genesis, "--from", LAST);
    }

    private static String segment(int first) {
        return String.format("segment-%019d.blocks", first);
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
