package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page of orders of the console as it ships, run by Node.js against an engine. Elements of the document are bare
 * objects: they keep what the scripts put into them.
 */
final class ConsolePage {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String RUN = """
            const fs = require("node:fs");
            const base = process.argv[2];
            class Element {
              constructor() {
                Object.assign(this, { children: [], value: "", text: "", hidden: false, dataset: {} });
                this.style = { setProperty() {} };
              }
              set textContent(value) { this.text = String(value); this.children = []; }
              get textContent() { return this.text + this.children.map(each => each.textContent ?? each).join(""); }
              get firstChild() { return this.children[0]; }
              get lastChild() { return this.children.at(-1); }
              append(...added) { this.children.push(...added); }
              replaceChildren(...only) { this.text = ""; this.children = only; }
              setAttribute() {}
            }
            const elements = new Map();
            const byId = id => {
              if (!elements.has(id)) elements.set(id, new Element());
              return elements.get(id);
            };
            globalThis.document = { getElementById: byId, createElement: () => new Element() };
            globalThis.window = {};
            globalThis.location = { hash: "", protocol: "http:", host: "" };
            globalThis.Option = class extends Element {};
            globalThis.WebSocket = class { static OPEN = 1; send() {} };
            const network = globalThis.fetch;
            globalThis.fetch = (path, options) => network(base + path, options);
            const scripts = process.argv.slice(4).map(file => fs.readFileSync(file, "utf8")).join("\\n");
            new Function(scripts.replaceAll('"use strict";', ""))();
            const cells = row => row.children.map(cell => cell.textContent);
            (async () => {
              for (const line of fs.readFileSync(process.argv[3], "utf8").trim().split("\\n")) {
                [byId("l-broker").value, byId("l-cl-ord-id").value] = line.split(" ");
                byId("l-trace").onclick();
                while (byId("l-message").textContent === "searching") await new Promise(setImmediate);
                console.log(JSON.stringify({
                  message: byId("l-message").textContent, isHidden: byId("l-entries").hidden,
                  order: byId("l-order").children.map(fact => cells(fact).join(" ")),
                  rows: byId("l-rows").children.map(cells)
                }));
              }
              process.exit(0);
            })();
            """;

    private final Path work;
    private final String engine;

    /**
     * Opens no page yet.
     *
     * @param work directory for its files
     * @param engine address of its HTTP server, such as {@code http://127.0.0.1:8080}
     */
    ConsolePage(Path work, String engine) {
        this.work = work;
        this.engine = engine;
    }

    /**
     * Presses <em>Trace</em> for one order after another on one page.
     *
     * @param orders a broker and a ClOrdID each, with a space between
     * @return what the page shows after each: message, isHidden of the table, facts of the order, rows of cells
     */
    List<JsonNode> trace(List<String> orders) throws IOException, InterruptedException {
        Path input = Files.write(work.resolve("orders"), orders);
        Path output = work.resolve("shown");
        Path script = Files.writeString(work.resolve("page.js"), RUN);
        List<String> command = new ArrayList<>(List.of("node", script.toString(), engine, input.toString()));
        for (String name : List.of("console.js", "proofs.js", "orders.js")) {
            command.add("src/main/resources/static/" + name);
        }
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new TestAbortedException("needs Node.js: " + e.getMessage());
        }
        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        List<JsonNode> shown = new ArrayList<>();
        Files.readAllLines(output).forEach(line -> shown.add(JSON.readTree(line)));
        assertThat(shown).hasSameSizeAs(orders);
        return shown;
    }
}
