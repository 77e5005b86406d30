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
 * The pages of the console as they ship, run by Node.js against an engine or against answers of a test. Elements of the
 * document are bare objects: they keep what the scripts put into them.
 */
final class ConsolePage {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String STATIC = "src/main/resources/static/";
    private static final String DOCUMENT = """
            const fs = require("node:fs");
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
            const sockets = [];
            globalThis.WebSocket = class {
              static OPEN = 1;
              constructor() {
                this.readyState = 0;
                sockets.push(this);
              }
              send() {}
              open() { this.readyState = WebSocket.OPEN; this.onopen(); }
              close() { this.readyState = 3; this.onclose(); }
            };
            const open = files => {
              const scripts = files.map(file => fs.readFileSync(file, "utf8")).join("\\n");
              new Function(scripts.replaceAll('"use strict";', ""))();
            };
            const cells = row => row.children.map(cell => cell.textContent);
            """;
    private static final String TRACE = DOCUMENT + """
            const base = process.argv[2];
            const network = globalThis.fetch;
            globalThis.fetch = (path, options) => network(base + path, options);
            open(process.argv.slice(4));
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

    /**
     * Answers come from {@code answers}, by path without its query: a value, a promise of one, or an {@code Error}.
     * {@code until} waits for a fact, {@code show} prints what the page of the market shows.
     */
    private static final String MARKET = DOCUMENT + """
            const answers = {
              "/api/instruments": [{ instrumentId: 1, symbol: "A", priceDecimals: 0 },
                { instrumentId: 2, symbol: "B", priceDecimals: 0 }],
              "/api/status": { phase: "TAILING" }, "/api/blocks": [], "/api/nodes": []
            };
            globalThis.fetch = async (path, { signal }) => {
              const { pathname, searchParams } = new URL(path, "http://engine");
              const instrument = searchParams.get("instrument");
              const late = new Promise((_, reject) => signal.onabort = () => reject(signal.reason));
              const answer = await Promise.race([answers[pathname + (instrument ? "/" + instrument : "")], late]);
              return { ok: !(answer instanceof Error), status: 503, json: async () => answer };
            };
            const promise = () => {
              const made = {};
              made.answer = new Promise(resolve => made.resolve = resolve);
              return made;
            };
            const level = price => ({ price, quantity: 1, orderCount: 1 });
            const depth = (price, blockSequence = 1) => ({ blockSequence, bids: [level(price)], asks: [] });
            const trade = tradeId => ({ tradeId, timeNs: 0, price: 5, quantity: tradeId, aggressorSide: "BUY" });
            const update = (instrumentId, news) =>
              sockets.at(-1).onmessage({ data: JSON.stringify({ type: "update", instrumentId, ...news }) });
            const until = async fact => { while (!fact()) await new Promise(setImmediate); };
            const choose = instrument => {
              byId("instrument").value = instrument;
              byId("instrument").onchange();
            };
            const quantities = () => byId("trades").children.map(row => cells(row)[2]);
            const show = () => console.log(JSON.stringify({
              bid: byId("best-bid").textContent, trades: quantities(), link: byId("link-text").textContent,
              digests: byId("digests").textContent
            }));
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
        List<String> arguments = new ArrayList<>(List.of(engine, input.toString()));
        for (String name : List.of("console.js", "proofs.js", "checks.js", "orders.js")) {
            arguments.add(STATIC + name);
        }
        List<JsonNode> shown = run(work, TRACE, arguments);
        assertThat(shown).hasSameSizeAs(orders);
        return shown;
    }

    /**
     * Opens the page of the market without an engine.
     *
     * @param work directory for its files
     * @param scenario JavaScript: sets answers, calls {@code open(page)}, acts, and shows
     * @return what the page showed each time: bid, trades by their quantity, link, digests of the nodes
     */
    static List<JsonNode> market(Path work, String scenario) throws IOException, InterruptedException {
        String script =
                MARKET + "const page = [process.argv[2]];\n(async () => {\n" + scenario + "\nprocess.exit(0);\n})();";
        return run(work, script, List.of(STATIC + "console.js"));
    }

    private static List<JsonNode> run(Path work, String page, List<String> arguments)
            throws IOException, InterruptedException {
        Path output = work.resolve("shown");
        Path script = Files.writeString(work.resolve("page.js"), page);
        List<String> command = new ArrayList<>(List.of("node", script.toString()));
        command.addAll(arguments);
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
        return shown;
    }
}
