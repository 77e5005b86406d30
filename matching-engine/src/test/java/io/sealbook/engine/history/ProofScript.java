package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.opentest4j.TestAbortedException;

/** The console's script that follows proofs, run by Node.js as it ships. */
final class ProofScript {
    private static final String RUN = """
            globalThis.crypto ??= require("node:crypto").webcrypto;
            const fs = require("node:fs");
            const followProof = new Function(fs.readFileSync(process.argv[2], "utf8") + "return followProof;")();
            const text = (key, value) => typeof value === "bigint" ? value.toString() : value;
            (async () => {
              for (const line of fs.readFileSync(process.argv[3], "utf8").split("\\n")) {
                try {
                  const proof = new Uint8Array(Buffer.from(line, "base64"));
                  console.log(JSON.stringify(await followProof(proof), text));
                } catch (refusal) {
                  console.log("refused: " + refusal.message);
                }
              }
            })();
            """;

    private final Path work;

    /** @param work directory for its files */
    ProofScript(Path work) {
        this.work = work;
    }

    /** Follows proofs; returns a line for each: what it shows as JSON, or {@code refused: FACT}. */
    List<String> follow(List<byte[]> proofs) throws IOException, InterruptedException {
        Path script = Files.writeString(work.resolve("follow.js"), RUN);
        Path output = work.resolve("output");
        String texts = proofs.stream().map(Base64.getEncoder()::encodeToString).collect(Collectors.joining("\n"));
        Path input = Files.writeString(work.resolve("proofs"), texts);
        Process process;
        try {
            process = new ProcessBuilder(
                            "node", script.toString(), "src/main/resources/static/proofs.js", input.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new TestAbortedException("needs Node.js: " + e.getMessage());
        }
        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        List<String> lines = Files.readAllLines(output);
        assertThat(lines).hasSameSizeAs(proofs);
        return lines;
    }
}
