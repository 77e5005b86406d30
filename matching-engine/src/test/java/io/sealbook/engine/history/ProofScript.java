package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console's scripts that follow proofs and compare them with rows, run by Node.js as they ship. */
final class ProofScript {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String STATIC = "src/main/resources/static/";
    private static final String PAGE = """
            globalThis.crypto ??= require("node:crypto").webcrypto;
            const fs = require("node:fs");
            const sources = process.argv.slice(3).map(file => fs.readFileSync(file, "utf8")).join("\\n");
            const page = names => new Function(sources + "\\nreturn { " + names + " };")();
            const input = fs.readFileSync(process.argv[2], "utf8");
            """;
    private static final String FOLLOW = PAGE + """
            const scripts = page(
              "exactJson, followProof, checkEntry, checkReport, checkReportOfEntry, checkTrade, entryOf");
            scripts.checkStep = (step, brokerId, shown) =>
              scripts.checkEntry(scripts.entryOf(step, brokerId), shown);
            const text = (key, value) => typeof value === "bigint" ? value.toString() : value;
            (async () => {
              for (const line of input.trim().split("\\n")) {
                const { proof, check, rows } = scripts.exactJson(line);
                try {
                  const shown = await scripts.followProof(new Uint8Array(Buffer.from(proof, "base64")));
                  if (check) scripts[check](...rows, shown);
                  console.log(JSON.stringify(shown, text));
                } catch (refusal) {
                  console.log("refused: " + refusal.message);
                }
              }
            })();
            """;
    private static final String NAMES = PAGE + """
            const { known } = page("known: { " + input + " }");
            console.log(JSON.stringify(known));
            """;

    private final Path work;

    /** @param work directory for its files */
    ProofScript(Path work) {
        this.work = work;
    }

    /**
     * A proof that is compared with rows.
     *
     * @param proof is followed first
     * @param check function of the page; null for none
     * @param rows its arguments before what the proof shows
     */
    record Check(byte[] proof, String check, List<?> rows) {}

    /** Follows proofs; returns a line for each: what it shows as JSON, or {@code refused: FACT}. */
    List<String> follow(List<byte[]> proofs) throws IOException, InterruptedException {
        return check(
                proofs.stream().map(proof -> new Check(proof, null, List.of())).toList());
    }

    /** Follows proofs and compares them with rows; returns lines as {@link #follow}. */
    List<String> check(List<Check> checks) throws IOException, InterruptedException {
        List<String> lines =
                run(FOLLOW, checks.stream().map(JSON::writeValueAsString).toList());
        assertThat(lines).hasSameSizeAs(checks);
        return lines;
    }

    /** Returns constants of the scripts by their names. */
    JsonNode constants(String... names) throws IOException, InterruptedException {
        return JSON.readTree(
                run(NAMES, List.of(String.join(", ", Arrays.asList(names)))).getFirst());
    }

    private List<String> run(String source, List<String> lines) throws IOException, InterruptedException {
        Path script = Files.writeString(work.resolve("follow.js"), source);
        Path output = work.resolve("output");
        Path input = Files.write(work.resolve("input"), lines);
        List<String> command = new ArrayList<>(List.of("node", script.toString(), input.toString()));
        command.addAll(List.of(STATIC + "proofs.js", STATIC + "checks.js"));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new TestAbortedException("needs Node.js: " + e.getMessage());
        }
        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }
}
