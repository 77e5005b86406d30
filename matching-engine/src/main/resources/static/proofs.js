// Follows a proof in the page: the signed bytes, the Merkle path, the chain of hashes up to the certificate. Formats
// and steps are those of block-archive/doc/proof-format.md. What a page cannot do is verify the signatures of the
// nodes, for which browsers have no curves: block-archive.jar verify-proof does. Knows nothing of the page.
"use strict";

const HEADER = 144, BROKER = 72, ORDER = 48, ORDERS = 88, SIGNATURE = 65, CELL = 32;

/** Reads little-endian fields one after the other; an end that comes too early is an error. */
class Fields {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  take(length) {
    if (length > this.bytes.length - this.at) throw new Error("the proof ends early");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  u32() {
    this.take(4);
    return this.view.getUint32(this.at - 4, true);
  }

  u64() {
    this.take(8);
    return this.view.getBigUint64(this.at - 8, true);
  }

  many(count, length) {
    if (count * length > this.bytes.length) throw new Error("the proof ends early");
    return Array.from({ length: count }, () => this.take(length));
  }
}

const numbers = (...parts) => {
  const bytes = new Uint8Array(parts.reduce((sum, [, length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, length] of parts) {
    if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, value, true);
    at += length;
  }
  return bytes;
};

async function sha256(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}

const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
const same = (a, b) => hex(a) === hex(b);

function demand(condition, fact) {
  if (!condition) throw new Error(fact);
}

/** The root to which a path leads from a leaf. */
async function rootOf(leaf, index, count, path) {
  demand(index < count, "place " + index + " of " + count);
  let hash = await sha256([0], leaf);
  let used = 0;
  for (let i = index, n = count; n > 1; i = Math.floor(i / 2), n = Math.ceil(n / 2)) {
    const sibling = i % 2 === 1 ? i - 1 : i + 1;
    if (sibling >= n) continue;
    demand(used < path.length, "the Merkle path is too short");
    const other = path[used++];
    hash = await (i % 2 === 1 ? sha256([1], other, hash) : sha256([1], hash, other));
  }
  demand(used === path.length, "the Merkle path is too long");
  return hash;
}

function certificateOf(bytes) {
  const fields = new Fields(bytes);
  const sequence = fields.u64();
  const [chainHash, resultDigest] = fields.many(3, 32);
  const signers = [];
  for (let count = fields.u32(); count > 0; count--) {
    signers.push(fields.u32());
    fields.take(SIGNATURE);
  }
  demand(fields.at === bytes.length, "bytes after the certificate");
  demand(signers.length > 0 && new Set(signers).size === signers.length, "the certificate names a node twice or none");
  return { sequence, chainHash, resultDigest, signers };
}

function headerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  return {
    bytes, sequence: view.getBigUint64(8, true), batchCount: view.getUint32(32, true), root: bytes.subarray(40, 72),
    previous: bytes.subarray(104, 136)
  };
}

/** The entries of a signed batch of orders; none if it is an administrative one. */
function ordersOf(batch) {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  if (view.getUint16(2, true) !== 1) return [];
  const count = view.getUint16(86, true);
  demand(batch.length === ORDERS + ORDER * count + SIGNATURE, "the batch has another length");
  return Array.from({ length: count }, (_, i) => {
    const at = ORDERS + ORDER * i;
    return {
      clOrdId: view.getBigUint64(at, true), origClOrdId: view.getBigUint64(at + 8, true),
      price: view.getBigInt64(at + 16, true), quantity: view.getBigInt64(at + 24, true),
      accountId: view.getUint32(at + 32, true), instrumentId: view.getUint32(at + 36, true),
      action: view.getUint8(at + 40), side: view.getUint8(at + 41), ordType: view.getUint8(at + 42),
      timeInForce: view.getUint8(at + 43)
    };
  });
}

async function followInclusion(fields) {
  const genesis = fields.take(32);
  const index = fields.u32();
  const batchId = fields.take(32);
  const header = headerOf(fields.take(HEADER));
  const path = fields.many(fields.u32(), 32);
  const later = fields.many(fields.u32(), HEADER).map(headerOf);
  const certificate = certificateOf(fields.take(fields.u32()));
  const batch = fields.take(fields.u32());
  demand(batch.length >= ORDERS + SIGNATURE, "the proof has no batch");
  demand(same(await sha256(batch.subarray(0, -SIGNATURE)), batchId), "the batch is not the one that its id names");
  demand(same(await rootOf(batchId, index, header.batchCount, path), header.root),
    "the Merkle path does not lead to the root of block " + header.sequence);
  let last = header;
  for (const next of later) {
    demand(next.sequence === last.sequence + 1n && same(next.previous, await sha256(last.bytes)),
      "block " + next.sequence + " does not follow block " + last.sequence);
    last = next;
  }
  demand(certificate.sequence === last.sequence && same(certificate.chainHash, await sha256(last.bytes)),
    "the certificate is of another block than " + last.sequence);
  return {
    genesis: hex(genesis), block: header.sequence, index, orders: ordersOf(batch),
    broker: new DataView(batch.buffer, batch.byteOffset).getUint32(BROKER, true), certified: certificate.sequence,
    signers: certificate.signers
  };
}

async function followResult(fields) {
  const genesis = fields.take(32);
  const block = fields.u64();
  const broker = fields.take(4);
  const firstReport = fields.take(8);
  const index = fields.u32();
  const leaf = fields.u32();
  const leaves = fields.u32();
  let digest = fields.take(32);
  const path = fields.many(fields.u32(), 32);
  const later = fields.many(fields.u32(), 36);
  const cells = fields.take(fields.u32());
  const certificate = certificateOf(fields.take(fields.u32()));
  demand(cells.length % CELL === 0 && index < cells.length / CELL, "the proof has no result at its place");
  const root = await rootOf(new Uint8Array([...broker, ...firstReport, ...cells]), leaf, leaves, path);
  digest = await sha256([2], digest, numbers([block, 8], [leaves, 4]), root);
  let last = block;
  for (const next of later) {
    last++;
    digest = await sha256([2], digest, numbers([last, 8]), next);
  }
  demand(certificate.sequence === last && same(certificate.resultDigest, digest),
    "the path does not lead to the certified result of block " + certificate.sequence);
  const cell = new DataView(cells.buffer, cells.byteOffset + index * CELL, CELL);
  return {
    genesis: hex(genesis), block, broker: new DataView(broker.buffer, broker.byteOffset).getUint32(0, true),
    report: new DataView(firstReport.buffer, firstReport.byteOffset).getBigUint64(0, true) + BigInt(index),
    batchIndex: cell.getUint32(0, true), orderIndex: cell.getUint16(4, true), event: cell.getUint8(6),
    reason: cell.getUint8(7), order: cell.getBigUint64(8, true), tradeOrCumQty: cell.getBigUint64(16, true),
    quantity: cell.getBigUint64(24, true), certified: certificate.sequence, signers: certificate.signers
  };
}

/**
 * Follows a proof from its leaf to its certificate. Resolves to what it shows; numbers of 64 bits are BigInts. Rejects
 * with the fact that is wrong.
 */
async function followProof(bytes) {
  const fields = new Fields(bytes.subarray(0, -4));
  const magic = String.fromCharCode(...fields.take(8));
  const version = fields.u32();
  const follow = { SBPROOF1: [3, followInclusion], SBRESLT1: [2, followResult] }[magic];
  demand(follow && follow[0] === version, "no proof that this page knows");
  const shown = await follow[1](fields);
  demand(fields.at === fields.bytes.length, "bytes after the proof");
  return shown;
}
