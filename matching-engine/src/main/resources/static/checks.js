// Compares what a proof shows with the row beside which it is: a row that says anything else is refused. Rows have the
// fields of /api/orders/BROKER/CLORDID/history and the broker whose order was asked for; steps of a trace become such
// rows. Uses demand of proofs.js. Knows nothing of the page.
"use strict";

// Codes of the signed batch, which are characters; see protocol/doc/order-batch.md.
const ACTIONS = { D: "NEW", F: "CANCEL", G: "REPLACE", q: "MASS_CANCEL", A: "CANCEL_AFTER" };
const SIDES = { 1: "BUY", 2: "SELL" };
const ORD_TYPES = { 1: "MARKET", 2: "LIMIT" };
const TIMES_IN_FORCE = { 0: "DAY", 1: "GOOD_TILL_CANCEL", 3: "IMMEDIATE_OR_CANCEL", 4: "FILL_OR_KILL" };

// By the codes of a result; see matching-core/doc/matching-rules.md.
const EXEC_TYPES = [undefined, "NEW", "REPLACED", "TRADE", "TRADE", "CANCELED", "EXPIRED", "REJECTED", "CANCEL_REJECT",
  "MASS_CANCEL_REPORT"];
const INCOMING_FILL = 3, RESTING_FILL = 4, CANCELED = 5, EXPIRED = 6;
const REJECT_REASONS = ["NONE", "UNKNOWN_INSTRUMENT", "UNKNOWN_ORDER", "DUPLICATE_CL_ORD_ID", "INVALID_QUANTITY",
  "INVALID_PRICE", "INVALID_FIELD", "TOO_LATE", "NOT_OWNER", "BATCH_EXPIRED", "BATCH_DUPLICATE", "CAPACITY",
  "MARKET_CLOSED", "UNKNOWN_ACCOUNT", "LIVE_ORDER_QUOTA", "KEY_NOT_IN_EFFECT", "BROKER_SUSPENDED", "BROKER_REMOVED",
  "INSTRUMENT_HALTED", "OUTSIDE_LIMITS", "TIME_TO_LIVE", "MASS_CANCEL", "CANCEL_AFTER", "MASS_CANCEL_LIMIT",
  "RATE_QUOTA"];

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON. An integer that JavaScript would round, of 2^53 or more, becomes its text. */
const exactJson = text => JSON.parse(text.replace(STRINGS_AND_NUMBERS, token =>
  /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? '"' + token + '"' : token));

/** As the API names a code: by its number if it has no name, and 0, which a cancel may hold, as NONE. */
const nameOf = (names, code) => code === 0 ? "NONE" : names[String.fromCharCode(code)] ?? String(code);

/** A step of a trace that is a signed entry, as a row. */
const entryOf = (step, brokerId) => ({
  ...step, brokerId, batchIndex: Number(step.batch), orderIndex: Number(step.order), accountId: Number(step.account),
  instrumentId: Number(step.instrument)
});

/** The proof must be of this batch, and its signed bytes must have the entry as the row shows it. */
function checkEntry(entry, shown) {
  demand(shown.block === BigInt(entry.block) && shown.index === entry.batchIndex && shown.broker === entry.brokerId,
    "the proof is of another batch");
  const signed = shown.orders?.[entry.orderIndex];
  demand(signed && signed.clOrdId === BigInt(entry.clOrdId) && signed.origClOrdId === BigInt(entry.origClOrdId ?? 0)
    && signed.price === BigInt(entry.price) && signed.quantity === BigInt(entry.quantity)
    && signed.accountId === entry.accountId && signed.instrumentId === entry.instrumentId
    && nameOf(ACTIONS, signed.action) === entry.action && nameOf(SIDES, signed.side) === entry.side
    && nameOf(ORD_TYPES, signed.ordType) === entry.ordType
    && nameOf(TIMES_IN_FORCE, signed.timeInForce) === entry.timeInForce,
    "the signed batch has another entry there");
}

/** The proof must be of this report of the broker, and its result must be what the row shows. */
function checkReport(report, brokerId, block, shown) {
  demand(shown.report === BigInt(report.reportSequence) && shown.broker === brokerId && shown.block === BigInt(block),
    "the proof is of another report");
  demand(EXEC_TYPES[shown.event] === report.execType
    && (REJECT_REASONS[shown.reason] ?? String(shown.reason)) === (report.rejectReason ?? "NONE")
    && isOfTrade(shown) === (report.tradeId != null), "the result is another one");
  if (isOfTrade(shown)) {
    demand(shown.tradeOrCumQty === BigInt(report.tradeId) && shown.quantity === BigInt(report.lastQty)
      && shown.order === BigInt(shown.event === INCOMING_FILL ? report.lastPx : report.orderId),
      "the result is another trade");
    return;
  }
  const hasEnded = shown.event === CANCELED || shown.event === EXPIRED;
  demand(shown.order === BigInt(report.orderId) && shown.tradeOrCumQty === BigInt(report.cumQty)
    && BigInt(report.leavesQty) === (hasEnded ? 0n : shown.quantity), "the result is of another order or quantity");
}

/** The proof must also be of a result that this entry caused. */
function checkReportOfEntry(entry, report, shown) {
  checkReport(report, entry.brokerId, entry.block, shown);
  demand(shown.batchIndex === entry.batchIndex && shown.orderIndex === entry.orderIndex,
    "the result is of another entry");
}

/** The proof of a trade is that of the incoming order's fill, of whichever broker: trade, price and quantity count. */
function checkTrade(report, block, shown) {
  demand(shown.event === INCOMING_FILL && shown.block === BigInt(block)
    && shown.tradeOrCumQty === BigInt(report.tradeId) && shown.order === BigInt(report.lastPx)
    && shown.quantity === BigInt(report.lastQty), "the proof is of another trade");
}

const isOfTrade = shown => shown.event === INCOMING_FILL || shown.event === RESTING_FILL;
