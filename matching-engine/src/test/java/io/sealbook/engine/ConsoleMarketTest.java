package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the console shows of the market, whenever the answers come. */
@Timeout(300)
class ConsoleMarketTest {
    @TempDir
    private Path work;

    @Test
    void shouldShowDepthWithoutTrades() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = new Error();
                open(page);
                await until(() => sockets.length > 0 || byId("link-text").textContent);
                show();
                """);

        assertThat(shown.getFirst().path("bid").asString()).isEqualTo("41");
        assertThat(shown.getFirst().path("link").asString()).isEqualTo("polling");
    }

    /** The chain sets no bound to the decimals, and JavaScript does. */
    @Test
    void shouldShowPricesOfAnyNumberOfDecimals() throws Exception {
        for (String[] shownAs : new String[][] {
            {"2", "0.41"}, {"100", "0." + "0".repeat(98) + "41"}, {"101", "41e-101"}, {"-1", "41e-4294967295"}
        }) {
            List<JsonNode> shown = ConsolePage.market(work, """
                    answers["/api/instruments"][0].priceDecimals = %s;
                    answers["/api/depth/1"] = depth(41);
                    answers["/api/trades/1"] = [];
                    open(page);
                    await until(() => sockets.length > 0 || byId("link-text").textContent);
                    show();
                    """.formatted(shownAs[0]));

            assertThat(shown.getFirst().path("bid").asString()).as(shownAs[0]).isEqualTo(shownAs[1]);
        }
    }

    /** A database that does not answer takes no part of the page but its trades, and one connection of the browser. */
    @Test
    void shouldConnectAndPollBeforeTradesCome() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const late = promise();
                let asked = 0, polls = 0;
                answers["/api/depth/1"] = depth(41);
                Object.defineProperty(answers, "/api/trades/1", { get: () => { asked++; return late.answer; } });
                Object.defineProperty(answers, "/api/nodes", { get: () => { polls++; return []; } });
                globalThis.setTimeout = action => setImmediate(action);
                open(page);
                await until(() => byId("best-bid").textContent === "41");
                sockets.forEach(socket => socket.readyState = 3);
                await until(() => polls > 3 || sockets.length === 0);
                byId("link-text").textContent = sockets.length + " socket, asked " + asked;
                show();
                late.resolve([trade(1)]);
                await until(() => quantities().includes("1"));
                show();
                """);

        assertThat(shown.getFirst().path("link").asString()).isEqualTo("1 socket, asked 1");
        assertThat(trades(shown.getLast())).containsExactly("1");
    }

    @Test
    void shouldShowTheChosenInstrumentAlthoughTheOneBeforeAnswersLate() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const late = promise(), lateTrades = promise();
                answers["/api/depth/1"] = late.answer;
                answers["/api/trades/1"] = lateTrades.answer;
                answers["/api/depth/2"] = depth(52);
                answers["/api/trades/2"] = [trade(2)];
                open(page);
                await until(() => byId("instrument").onchange);
                choose(2);
                await until(() => quantities().includes("2"));
                late.resolve(depth(41));
                lateTrades.resolve([trade(1)]);
                await until(() => sockets.length > 0);
                show();
                """);

        assertThat(shown.getFirst().path("bid").asString()).isEqualTo("52");
        assertThat(trades(shown.getFirst())).containsExactly("2");
    }

    @Test
    void shouldShowEachTradeOnceWhicheverWayItComes() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = [trade(3), trade(1)];
                const late = promise();
                answers["/api/depth/2"] = depth(52);
                answers["/api/trades/2"] = late.answer;
                open(page);
                await until(() => sockets.length > 0);
                show();
                choose(2);
                update(2, { trades: [trade(5), trade(6)] });
                show();
                late.resolve([trade(5), trade(4)]);
                await until(() => quantities().includes("4"));
                show();
                update(2, { trades: [trade(6), trade(7)] });
                show();
                """);

        assertThat(trades(shown.get(0))).containsExactly("3", "1");
        assertThat(trades(shown.get(1))).containsExactly("6", "5");
        assertThat(trades(shown.get(2))).containsExactly("6", "5", "4");
        assertThat(trades(shown.get(3))).containsExactly("7", "6", "5", "4");
    }

    /** The WebSocket has no trades from before its subscription. */
    @Test
    void shouldShowTradesFromBeforeEachSubscription() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const late = promise();
                const reconnects = [];
                globalThis.setTimeout = (action, ms) => { if (ms > 1000) reconnects.push(action); };
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = late.answer;
                open(page);
                await until(() => sockets.length > 0);
                answers["/api/trades/1"] = [trade(2), trade(1)];
                sockets[0].open();
                late.resolve([trade(1)]);
                await until(() => quantities().includes("1"));
                await new Promise(setImmediate);
                show();
                answers["/api/trades/1"] = [trade(3), trade(2), trade(1)];
                sockets[0].close();
                reconnects.shift()();
                sockets[1].open();
                update(1, { trades: [trade(4)] });
                await new Promise(setImmediate);
                show();
                """);

        assertThat(trades(shown.getFirst())).as("asked before, answered after").containsExactly("2", "1");
        assertThat(trades(shown.getLast())).containsExactly("4", "3", "2", "1");
    }

    @Test
    void shouldNotReplaceDepthByAnEarlierOne() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const late = promise();
                const polls = [];
                globalThis.setTimeout = (action, ms) => { if (ms === 1000) polls.push(action); };
                answers["/api/depth/1"] = depth(41, 5);
                answers["/api/depth/2"] = depth(52, 3);
                answers["/api/trades/1"] = answers["/api/trades/2"] = [];
                open(page);
                await until(() => sockets.length > 0);
                answers["/api/depth/1"] = late.answer;
                polls.shift()();
                await new Promise(setImmediate);
                sockets[0].open();
                update(1, { depth: depth(43, 7) });
                late.resolve(depth(42, 6));
                await new Promise(setImmediate);
                show();
                choose(2);
                await until(() => byId("best-bid").textContent !== "43");
                show();
                answers["/api/depth/2"] = depth(51, 2);
                sockets[0].close();
                polls.shift()();
                await until(() => byId("best-bid").textContent !== "52");
                show();
                """);

        assertThat(shown.get(0).path("bid").asString()).isEqualTo("43");
        assertThat(shown.get(1).path("bid").asString()).as("another instrument").isEqualTo("52");
        assertThat(shown.get(2).path("bid").asString()).as("another engine").isEqualTo("51");
    }

    /** Of a chain with other instruments, and with trades that have lower ids. */
    @Test
    void shouldShowTheMarketOfAnotherEngine() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const polls = [], reconnects = [];
                globalThis.setTimeout = (action, ms) => (ms === 1000 ? polls : reconnects).push(action);
                answers["/api/depth/1"] = depth(41, 7);
                answers["/api/trades/1"] = [trade(9), trade(8)];
                open(page);
                await until(() => polls.length > 0);
                sockets[0].open();
                await new Promise(setImmediate);
                update(1, { trades: [trade(10)] });
                show();
                sockets[0].close();
                show();
                answers["/api/trades/1"] = [trade(10), trade(9), trade(8)];
                reconnects.shift()();
                sockets[1].open();
                await new Promise(setImmediate);
                show();
                sockets[1].close();
                answers["/api/trades/1"] = [trade(2), trade(1)];
                answers["/api/instruments"] = [{ instrumentId: 1, symbol: "A", priceDecimals: 1 },
                  { instrumentId: 2, symbol: "C", priceDecimals: 0 }];
                polls.shift()();
                await until(() => polls.length > 0);
                reconnects.shift()();
                sockets[2].open();
                await new Promise(setImmediate);
                show();
                answers["/api/instruments"] = [{ instrumentId: 2, symbol: "C", priceDecimals: 0 },
                  { instrumentId: 3, symbol: "D", priceDecimals: 0 }];
                answers["/api/depth/2"] = depth(52);
                answers["/api/trades/2"] = [trade(5)];
                polls.shift()();
                await until(() => polls.length > 0);
                await new Promise(setImmediate);
                show();
                """);

        assertThat(trades(shown.get(0))).containsExactly("10", "9", "8");
        assertThat(trades(shown.get(1))).as("until it answers again").containsExactly("10", "9", "8");
        assertThat(trades(shown.get(2))).as("the same engine").containsExactly("10", "9", "8");
        assertThat(trades(shown.get(3))).as("another one").containsExactly("2", "1");
        assertThat(shown.get(3).path("bid").asString()).as("its decimals").isEqualTo("4.1");
        assertThat(trades(shown.get(4))).as("its first instrument").containsExactly("5");
        assertThat(shown.get(4).path("bid").asString()).isEqualTo("52");
    }

    @Test
    void shouldShowWhetherTheEngineAnswers() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const polls = [], reconnects = [], timeouts = [];
                globalThis.setTimeout = (action, ms) => (ms === 1000 ? polls : reconnects).push(action);
                globalThis.AbortSignal = {
                  timeout: () => {
                    timeouts.push(new AbortController());
                    return timeouts.at(-1).signal;
                  }
                };
                const poll = async () => {
                  polls.shift()();
                  await new Promise(setImmediate);
                };
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = [];
                open(page);
                await until(() => polls.length > 0);
                sockets[0].open();
                show();
                answers["/api/status"] = promise().answer;
                await poll();
                timeouts.forEach(timeout => timeout.abort());
                await new Promise(setImmediate);
                show();
                answers["/api/status"] = { phase: "TAILING" };
                await poll();
                show();
                reconnects.shift()();
                sockets[1].open();
                show();
                """);

        assertThat(shown.stream().map(each -> each.path("link").asString()))
                .containsExactly("live", "engine does not answer", "polling", "live");
    }

    @Test
    void shouldSayThatResultsAgreeOnlyIfSomeWereCompared() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                const polls = [];
                globalThis.setTimeout = (action, ms) => { if (ms === 1000) polls.push(action); };
                const node = (lastExecuted, resultDigest) =>
                  ({ name: "N", state: "NORMAL", reason: "", lastExecuted, resultDigest });
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = [];
                open(page);
                await until(() => polls.length > 0);
                for (const nodes of [[node(7, "a"), node(8, "b")], [node(0, "0"), node(0, "0")],
                    [node(7, "a"), node(8, "b"), node(8, "b")], [node(8, "a"), node(8, "b")]]) {
                  answers["/api/nodes"] = nodes;
                  polls.shift()();
                  await until(() => polls.length > 0);
                  show();
                }
                """);

        assertThat(shown.stream().map(each -> each.path("digests").asString()))
                .containsExactly("", "", "result digests agree", "result digests differ");
    }

    private static List<String> trades(JsonNode shown) {
        return shown.path("trades").valueStream().map(JsonNode::asString).toList();
    }
}
