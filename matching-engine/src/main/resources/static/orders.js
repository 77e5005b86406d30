// Looks an order up: its state, its place in the chain, its life, and its proofs, which it follows. Uses byId, row and
// whole of console.js, followProof of proofs.js, and checks.js.
"use strict";

/** Where TLS is required, orders are shown to a proven role only: the statement in the form proves it. */
function roleHeaders() {
  const statement = byId("l-role").value.trim();
  return statement ? { "sealbook-role": statement } : {};
}

/** Fetches JSON with exact numbers; a refusal becomes an error with the engine's words, an unknown thing "absent". */
async function ask(path) {
  const response = await fetch(path, { headers: { Accept: "application/json", ...roleHeaders() } });
  if (response.ok) return exactJson(await response.text());
  const problem = await response.json().catch(() => ({}));
  if (response.status === 404) return { absent: problem.detail ?? "not found" };
  throw new Error(problem.detail ?? path + ": " + response.status);
}

const ticks = (instrumentId, value) => scaled(value, instrumentId);

/** A link that downloads a proof and follows it; `check` compares what it shows with the row. */
function proofLink(path, name, text, check) {
  const link = document.createElement("a");
  link.href = path;
  link.download = name;
  link.textContent = text;
  link.onclick = event => {
    event.preventDefault();
    link.className = "";
    download(path, name, check).then(
      isFollowed => { link.className = isFollowed ? "followed" : ""; },
      failure => {
        link.className = "refused";
        say(name + ": " + failure.message);
      });
  };
  return link;
}

/** Downloads a proof and follows it first. One that does not exist yet, or leads nowhere, is a message, not a file. */
async function download(path, name, check) {
  const response = await fetch(path, { headers: roleHeaders() });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Error(problem.detail ?? path + ": " + response.status);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const canFollow = globalThis.crypto?.subtle !== undefined;
  if (canFollow) {
    const shown = await followProof(bytes);
    check(shown);
    say(name + ": followed in this page to block " + shown.block + ", which the certificate of block "
      + shown.certified + " covers. It names nodes " + shown.signers.join(", ")
      + "; block-archive.jar verify-proof verifies their signatures");
  } else {
    say(name + ": not followed, this page has no secure connection");
  }
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([bytes]));
  file.download = name;
  file.click();
  URL.revokeObjectURL(file.href);
  return canFollow;
}

const say = text => { byId("l-message").textContent = text; };

function showOrder(order) {
  const facts = order.absent ? [] : [
    ["Status", order.ordStatus?.toLowerCase().replaceAll("_", " ") ?? "as signed"],
    ["Side", order.side.toLowerCase()],
    ["Price", ticks(order.instrumentId, order.price)],
    ["Quantity", whole.format(order.quantity)],
    ["Open", order.leavesQty == null ? "–" : whole.format(order.leavesQty)],
    ["Filled", order.cumQty == null ? "–" : whole.format(order.cumQty)],
    ["OrderID", order.orderId ? String(order.orderId) : "–"],
    ["Reason", order.rejectReason?.toLowerCase().replaceAll("_", " ")],
    ["From", order.source + ", block " + whole.format(order.updatedBlock)]];
  byId("l-order").replaceChildren(...facts.filter(([, value]) => value !== undefined).map(([name, value]) => {
    const div = document.createElement("div");
    const dt = document.createElement("dt");
    const dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = value;
    div.append(dt, dd);
    return div;
  }));
}

function entryRows(entry) {
  const signed = row([
    num(entry.block), num(entry.batchIndex), num(entry.orderIndex),
    [entry.action.toLowerCase() + " " + entry.side.toLowerCase()], [entry.clOrdId, "num"],
    [ticks(entry.instrumentId, entry.price), "num"], num(entry.quantity), [""]]);
  const name = "order-" + entry.block + "-" + entry.batchIndex + ".proof";
  signed.lastChild.append(proofLink(entry.proof, name, "order", shown => checkEntry(entry, shown)));
  const reports = entry.reports.map(report => {
    const isFill = report.tradeId != null;
    const words = report.execType.toLowerCase() + ", " + report.ordStatus.toLowerCase().replaceAll("_", " ")
      + (report.rejectReason ? ", " + report.rejectReason.toLowerCase().replaceAll("_", " ") : "");
    const tr = row([
      [""], [""], [""], ["report " + report.reportSequence + ": " + words], [""],
      [isFill ? ticks(entry.instrumentId, report.lastPx) : "", "num"],
      [isFill ? whole.format(report.lastQty) : "", "num"], [""]], "report");
    tr.lastChild.append(proofLink(report.proof, "report-" + report.reportSequence + ".proof", "report",
      shown => checkReportOfEntry(entry, report, shown)));
    if (isFill) {
      tr.lastChild.append(" ", proofLink(report.tradeProof, "trade-" + report.tradeId + ".proof", "trade",
        shown => checkTrade(report, entry.block, shown)));
    }
    return tr;
  });
  return [signed, ...reports];
}

function showHistory(history, brokerId) {
  const rows = history.entries.flatMap(entry => entryRows({ ...entry, brokerId: Number(brokerId) }));
  byId("l-entries").hidden = rows.length === 0;
  byId("l-rows").replaceChildren(...rows);
  if (!history.isComplete) {
    say("searched blocks " + history.searchedFrom + " to " + history.searchedTo + "; earlier ones may have more");
  }
}

/** A step of a trace as a row: a signed entry, or a report with its proofs. */
function stepRow(step, brokerId) {
  if (step.event === "entry") {
    return entryRows({ ...entryOf(step, Number(brokerId)), reports: [] })[0];
  }
  const words = step.execType.toLowerCase() + ", " + step.ordStatus.toLowerCase().replaceAll("_", " ")
    + (step.rejectReason ? ", " + step.rejectReason.toLowerCase().replaceAll("_", " ") : "")
    + ", open " + whole.format(step.leavesQty);
  const isFill = step.tradeId !== undefined;
  const tr = row([
    num(step.block), [""], [""], ["report " + step.reportSequence + ": " + words], [step.clOrdId, "num"],
    [ticks(step.instrument, isFill ? step.lastPx : step.price), "num"],
    num(isFill ? step.lastQty : step.quantity), [""]], "report");
  tr.lastChild.append(proofLink(step.proof, "report-" + step.reportSequence + ".proof", "report",
    shown => checkReport(step, Number(brokerId), step.block, shown)));
  if (isFill) {
    tr.lastChild.append(" ", proofLink(step.tradeProof, "trade-" + step.tradeId + ".proof", "trade",
      shown => checkTrade(step, step.block, shown)));
  }
  return tr;
}

function showTrace(trace, brokerId) {
  const rows = trace.events.filter(step => step.event !== "state").map(step => stepRow(step, brokerId));
  byId("l-entries").hidden = rows.length === 0;
  byId("l-rows").replaceChildren(...rows);
  const states = trace.events.filter(step => step.event === "state").map(step =>
    "order " + step.orderId + " " + step.is.toLowerCase() + ", filled " + whole.format(step.cumQty) + ", open "
      + whole.format(step.leavesQty) + " since block " + whole.format(step.since));
  say(states.join("; ") + " (blocks " + trace.searchedFrom + " to " + trace.searchedTo + ")"
    + (trace.isComplete ? "" : "; earlier reports are not among them"));
}

/** The blocks are searched also if the order is not found, or if the database that may have it does not answer. */
function find(order) {
  return ask(order).catch(failure => ({ absent: failure.message }));
}

async function traceOrder(brokerId, clOrdId) {
  const order = "/api/orders/" + brokerId + "/" + clOrdId;
  const trace = await ask(order + "/trace");
  if (trace.absent) {
    say(trace.absent);
    return;
  }
  showOrder(await find(order));
  showTrace(trace, brokerId);
}

async function lookUp(brokerId, clOrdId, orderId) {
  let order = "/api/orders/" + brokerId + "/" + clOrdId;
  let history = order + "/history";
  if (orderId) {
    const accepted = await ask("/api/order-ids/" + orderId);
    if (accepted.absent) {
      say(accepted.absent);
      return;
    }
    ({ order, history } = accepted);
    brokerId = accepted.brokerId;
    byId("l-broker").value = brokerId;
    byId("l-cl-ord-id").value = accepted.clOrdId;
  }
  const found = await find(order);
  say(found.absent ?? "");
  showOrder(found);
  showHistory(await ask(history), brokerId);
}

/** What is shown of another order goes before anything is shown of the next one. */
function clear() {
  showOrder({ absent: true });
  showHistory({ entries: [], isComplete: true });
}

function submit() {
  const [broker, clOrdId, orderId] = ["l-broker", "l-cl-ord-id", "l-order-id"].map(id => byId(id).value.trim());
  clear();
  if (!orderId && !(broker && clOrdId)) {
    say("name a broker and a ClOrdID, or an OrderID");
    return;
  }
  say("searching");
  lookUp(broker, clOrdId, orderId).catch(failure => say(failure.message));
}

byId("l-trace").onclick = () => {
  const [broker, clOrdId] = ["l-broker", "l-cl-ord-id"].map(id => byId(id).value.trim());
  if (!(broker && clOrdId)) {
    say("name a broker and a ClOrdID");
    return;
  }
  clear();
  say("searching");
  traceOrder(broker, clOrdId).catch(failure => say(failure.message));
};

byId("lookup").onsubmit = event => {
  event.preventDefault();
  submit();
};

/** A link names an order: #broker=1&cl-ord-id=4711, or #order-id=17. */
function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("order-id") && !link.has("broker")) return;
  ["broker", "cl-ord-id", "order-id"].forEach(name => { byId("l-" + name).value = link.get(name) ?? ""; });
  submit();
}

window.onhashchange = followLink;
followLink();
