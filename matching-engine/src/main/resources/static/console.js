// The console of one engine: depth and trades by WebSocket (polling while it is down), everything else by polling.
"use strict";

const POLL_MS = 1000;
const RECONNECT_MS = 2000;
const ANSWER_MS = 5000;
const LEVELS = 10;
const TRADES = 60;
const BLOCKS = 20;
const SPARK_POINTS = 120;

const byId = id => document.getElementById(id);
const whole = new Intl.NumberFormat("en");
const state = {
  instruments: new Map(), instrument: 0, depthBlock: 0, trades: [], tradesAsked: new Set(), tradesMissed: new Set(),
  rates: [], lastOrders: null, lastOrdersMs: 0, socket: null,
  isAnswering: true
};

// The chain takes any number of decimals, toFixed 0..100.
const scaled = (ticks, instrumentId) => {
  const decimals = state.instruments.get(instrumentId)?.priceDecimals ?? 0;
  const isShown = 0 <= decimals && decimals <= 100;
  return isShown ? (ticks / 10 ** decimals).toFixed(decimals) : ticks + "e-" + (decimals >>> 0);
};
const price = ticks => scaled(ticks, state.instrument);
const short = hex => hex ? hex.slice(0, 12) : "–";
const ms = value => {
  if (value == null) return "–";
  if (value >= 10_000) return whole.format(Math.round(value / 1000)) + " s";
  return value.toFixed(value < 10 ? 2 : 0) + " ms";
};
const num = value => [whole.format(value), "num"];
const time = ns => new Date(ns / 1e6).toISOString().slice(11, 23);

async function get(path) {
  const headers = { Accept: "application/json" };
  const response = await fetch(path, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
  if (!response.ok) throw new Error(path + ": " + response.status);
  return response.json();
}

// Text goes in as text: no word of a broker or a node is read as markup.
function row(cells, className) {
  const tr = document.createElement("tr");
  if (className) tr.className = className;
  for (const [text, cls] of cells) {
    const td = document.createElement("td");
    td.textContent = text;
    if (cls) td.className = cls;
    tr.append(td);
  }
  return tr;
}

function emptyRow(columns, text) {
  const tr = row([[text]], "none");
  tr.firstChild.colSpan = columns;
  return tr;
}

// The WebSocket and an answer both have the depth; they come in any order.
function showDepth(depth) {
  if (depth.blockSequence < state.depthBlock) return;
  state.depthBlock = depth.blockSequence;
  const bids = depth.bids, asks = depth.asks;
  const largest = Math.max(1, ...bids.map(l => l.quantity), ...asks.map(l => l.quantity));
  const side = (levels, cls) => {
    let total = 0;
    return levels.map(level => {
      total += level.quantity;
      const cells = [num(total), num(level.orderCount), num(level.quantity), [price(level.price), "num " + cls]];
      const tr = row(cells, "level");
      tr.style.setProperty("--share", (100 * level.quantity / largest).toFixed(1) + "%");
      return tr;
    });
  };
  byId("asks").replaceChildren(...side(asks, "sell").reverse());
  byId("bids").replaceChildren(...side(bids, "buy"));
  const bid = bids[0]?.price, ask = asks[0]?.price;
  byId("best-bid").textContent = bid === undefined ? "–" : price(bid);
  byId("best-ask").textContent = ask === undefined ? "–" : price(ask);
  const spread = bid === undefined || ask === undefined ? "–" : price(ask - bid);
  byId("spread").textContent = spread;
  const halted = depth.isHalted || depth.status === "HALTED" ? "HALTED, " : "";
  byId("mid").textContent = halted + (bid === undefined && ask === undefined
    ? "no orders" : "spread " + spread + ", block " + whole.format(depth.blockSequence));
}

function showTrades() {
  const rows = state.trades.map(t => {
    const cls = t.aggressorSide === "BUY" ? "buy" : t.aggressorSide === "SELL" ? "sell" : "";
    const taker = [t.aggressorSide.toLowerCase(), cls];
    return row([[time(t.timeNs)], [price(t.price), "num " + cls], num(t.quantity), taker]);
  });
  byId("trades").replaceChildren(...(rows.length ? rows : [emptyRow(4, "no trades yet")]));
  const last = state.trades[0];
  byId("last").textContent = last ? price(last.price) : "–";
}

// The WebSocket and an answer may both have a trade; they come in any order.
function addTrades(trades) {
  const known = new Map([...state.trades, ...trades].map(trade => [trade.tradeId, trade]));
  state.trades = [...known.values()].sort((a, b) => b.tradeId - a.tradeId).slice(0, TRADES);
  showTrades();
}

function databaseNote(status) {
  if (status.databaseFailure) return ", database away";
  const lag = status.lastExecuted - status.persistedBlock;
  return lag > 50 ? ", database lags by " + whole.format(lag) : "";
}

function showStatus(status) {
  byId("t-block").textContent = whole.format(status.lastExecuted);
  byId("t-phase").textContent = status.phase.toLowerCase() + (status.obstacle ? ", waits: " + status.obstacle : "")
    + (status.wrongResult ? ", its result is wrong" : "")
    + databaseNote(status);
  byId("t-orders").textContent = whole.format(status.orders);
  byId("t-trades").textContent = whole.format(status.trades);
  byId("t-reports").textContent = whole.format(status.reports) + " reports";
  byId("t-latency").textContent = ms(status.latencyMsMedian);
  byId("t-latency99").textContent = "99 % within " + ms(status.latencyMs99);
  const now = performance.now();
  if (state.lastOrders !== null) {
    const rate = Math.max(0, (status.orders - state.lastOrders) * 1000 / (now - state.lastOrdersMs));
    state.rates.push(rate);
    if (state.rates.length > SPARK_POINTS) state.rates.shift();
    byId("t-orders-rate").textContent = whole.format(Math.round(rate)) + " per second";
    showSpark();
  }
  state.lastOrders = status.orders;
  state.lastOrdersMs = now;
}

function showSpark() {
  const largest = Math.max(1, ...state.rates);
  const x = i => 240 - (state.rates.length - 1 - i) * 240 / (SPARK_POINTS - 1);
  const points = state.rates.map((rate, i) => x(i).toFixed(1) + " " + (45 - 42 * rate / largest).toFixed(1));
  if (points.length < 2) return;
  byId("spark-line").setAttribute("d", "M" + points.join("L"));
  byId("spark-area").setAttribute("d", "M" + x(0).toFixed(1) + " 48L" + points.join("L") + "L240 48Z");
}

function showBlocks(blocks) {
  const rows = blocks.map(b => row([
    num(b.sequence), num(b.batches), num(b.orders), num(b.trades), num(b.rejects),
    [ms(b.executionNs / 1e6), "num"], [ms(b.latencyMs), "num"], [short(b.resultDigest), "digest"]]));
  byId("blocks").replaceChildren(...(rows.length ? rows : [emptyRow(8, "no block since this engine started")]));
}

function showNodes(nodes) {
  byId("nodes").replaceChildren(...nodes.map(node => {
    const li = document.createElement("li");
    li.dataset.state = node.state;
    const who = document.createElement("div");
    who.className = "who";
    const name = document.createElement("span");
    name.textContent = node.name || "node " + node.nodeId;
    const word = document.createElement("span");
    const isPrimary = !node.reason && node.primary === node.nodeId;
    const state = node.state.toLowerCase().replace("_", " ");
    word.textContent = state + (isPrimary ? ", primary" : node.reason ? ", " + node.reason : "");
    who.append(name, word);
    li.append(who);
    if (!node.reason) {
      const facts = document.createElement("div");
      facts.className = "facts";
      const numbers = [
        ["view", node.view], ["delivered", node.lastDelivered], ["executed", node.lastExecuted],
        ["checkpoint", node.stableCheckpoint], ["pending", node.pendingBatches], ["peers", node.connectedPeers]];
      for (const [label, value] of numbers) {
        const b = document.createElement("b");
        b.textContent = whole.format(value);
        facts.append(label + " ", b, "  ");
      }
      li.append(facts);
    }
    return li;
  }));
  const up = nodes.filter(n => !n.reason);
  const byBlock = new Map();
  up.filter(n => n.lastExecuted > 0)
    .forEach(n => byBlock.set(n.lastExecuted, [...byBlock.get(n.lastExecuted) ?? [], n.resultDigest]));
  const compared = [...byBlock.values()].filter(digests => digests.length > 1);
  const differ = compared.some(digests => new Set(digests).size > 1);
  byId("digests").textContent = compared.length === 0 ? ""
    : differ ? "result digests differ" : "result digests agree";
  byId("digests").className = differ ? "sell" : "";
}

function link(kind, text) {
  byId("link").dataset.state = kind;
  byId("link-text").textContent = text;
}

function showLink() {
  if (!state.isAnswering) link("down", "engine does not answer");
  else if (isLive()) link("live", "live");
  else link("poll", "polling");
}

function isLive() {
  return state.socket?.readyState === WebSocket.OPEN;
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(scheme + "//" + location.host + "/ws/market-data");
  state.socket = socket;
  // A WebSocket has the trades from its subscription on: those before are asked for after it.
  socket.onopen = () => { showLink(); subscribe(); loadMarket().catch(console.warn); };
  socket.onmessage = event => {
    const update = JSON.parse(event.data);
    if (update.type !== "update" || update.instrumentId !== state.instrument) return;
    if (update.depth) showDepth(update.depth);
    if (update.trades) addTrades(update.trades);
  };
  socket.onclose = () => {
    state.socket = null;
    // The next engine may have another chain, or fewer blocks yet. Its trades are asked for after its subscription, and
    // by each poll before; those that are shown stay until then.
    state.depthBlock = 0;
    state.trades = [];
    showLink();
    setTimeout(connect, RECONNECT_MS);
  };
}

function subscribe() {
  if (isLive()) {
    state.socket.send(JSON.stringify({ instrument: state.instrument, levels: LEVELS }));
  }
}

// Waits for depth alone: trades come from a database, which may be away or slow. Answers about an instrument that is no
// longer chosen are late.
async function loadMarket() {
  const instrument = state.instrument;
  loadTrades(instrument);
  const depth = await get("/api/depth/" + instrument + "?levels=" + LEVELS);
  if (instrument === state.instrument) showDepth(depth);
}

// One request for an instrument at a time: a browser has few connections to an engine. Who asks meanwhile needs trades
// that the answer may not have.
async function loadTrades(instrument) {
  if (state.tradesAsked.has(instrument)) {
    state.tradesMissed.add(instrument);
    return;
  }
  state.tradesAsked.add(instrument);
  const trades = await get("/api/trades?limit=" + TRADES + "&instrument=" + instrument).catch(failure => {
    console.warn(failure);
    return [];
  });
  state.tradesAsked.delete(instrument);
  if (instrument === state.instrument) addTrades(trades);
  if (state.tradesMissed.delete(instrument) && instrument === state.instrument) loadTrades(instrument);
}

async function select(instrument) {
  state.instrument = instrument;
  state.depthBlock = 0;
  state.trades = [];
  subscribe();
  await loadMarket();
}

async function poll() {
  try {
    const [status, blocks, nodes] = await Promise.all([
      get("/api/status"), get("/api/blocks?limit=" + BLOCKS), get("/api/nodes"), loadInstruments()]);
    showStatus(status);
    showBlocks(blocks);
    showNodes(nodes);
    if (!isLive()) await loadMarket();
    state.isAnswering = true;
  } catch (failure) {
    // A connection to an engine that is gone may stay open for ever.
    state.isAnswering = false;
    state.socket?.close();
    console.warn(failure);
  }
  showLink();
  setTimeout(poll, POLL_MS);
}

/** Instruments may be added while the page is open, and another engine may have others. */
async function loadInstruments() {
  const instruments = await get("/api/instruments");
  const isChanged = JSON.stringify(instruments) !== JSON.stringify([...state.instruments.values()]);
  if (isChanged) {
    state.instruments = new Map(instruments.map(i => [i.instrumentId, i]));
    const picker = byId("instrument");
    picker.replaceChildren(...instruments.map(i => new Option(i.symbol, i.instrumentId)));
    const isGone = state.instrument && instruments.length && !state.instruments.has(state.instrument);
    if (isGone) await select(instruments[0].instrumentId);
    if (state.instrument) picker.value = state.instrument;
  }
  return instruments;
}

async function start() {
  try {
    const instruments = await loadInstruments();
    const picker = byId("instrument");
    picker.onchange = () => select(Number(picker.value)).catch(console.warn);
    if (instruments.length) await select(instruments[0].instrumentId);
    connect();
    poll();
  } catch (failure) {
    link("down", "engine does not answer");
    console.warn(failure);
    setTimeout(start, RECONNECT_MS);
  }
}

start();
