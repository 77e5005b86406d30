#!/usr/bin/env python3
"""Queries an engine by REST, best that beside a follower: state, market, one order, its history and its proof.

    python3 query_engine.py http://HOST:7145
    python3 query_engine.py http://HOST:7145 --broker 1 --cl-ord-id 17 --proof batch.proof
    java -jar block-archive.jar verify-proof batch.proof --genesis genesis.json --orders

It needs Python 3.9 or later and no package. The answers are described in matching-engine/doc/api.md. Exit codes: 0, 1
if the engine refused a query or has no such order, 2 for wrong use, 3 if it cannot be reached.
"""

import argparse
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_S = 30
ATTEMPTS = 60


def fetch(base, path, **parameters):
    """Returns the bytes of an answer. An engine that is busy (429, 503) names the seconds to wait."""
    query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
    for _ in range(ATTEMPTS - 1):
        try:
            with urllib.request.urlopen(base + path + query, timeout=TIMEOUT_S) as answer:
                return answer.read()
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503) or not refusal.headers.get("Retry-After"):
                raise
            time.sleep(int(refusal.headers["Retry-After"]))
    with urllib.request.urlopen(base + path + query, timeout=TIMEOUT_S) as answer:
        return answer.read()


def query(base, path, **parameters):
    return json.loads(fetch(base, path, **parameters))


def show_market(base):
    status = query(base, "/api/status")
    print(f"block {status['lastExecuted']} orders {status['orders']} result {status['resultDigest']}")
    for instrument in query(base, "/api/instruments"):
        # Prices are whole numbers of ticks, so that no program rounds them.
        ticks = 10 ** instrument["priceDecimals"]
        depth = query(base, f"/api/depth/{instrument['instrumentId']}", levels=5)
        for side in ("bids", "asks"):
            for level in depth[side]:
                price = level["price"] / ticks
                print(f"{instrument['symbol']} {side[:3]} {price:.{instrument['priceDecimals']}f} {level['quantity']}")


def show_order(base, broker, cl_ord_id, proof_file):
    """Prints the entries of an order as its broker signed them. They come from the blocks, for ever."""
    order = f"/api/orders/{broker}/{cl_ord_id}/history"
    history = query(base, order)
    entries = history["entries"]
    while not entries and not history["isComplete"]:
        history = query(base, order, to=history["searchedFrom"] - 1)
        entries = history["entries"]
    for entry in entries:
        print(f"{entry['action']} block {entry['block']} batch {entry['batchIndex']} entry {entry['orderIndex']}"
              f" price {entry['price']} quantity {entry['quantity']}")
    if not entries:
        print(f"broker {broker} has no order {cl_ord_id}", file=sys.stderr)
        return 1
    if proof_file:
        with open(proof_file, "wb") as file:
            file.write(fetch(base, entries[0]["proof"]))
        print(f"proof {proof_file}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="address of the engine's HTTP port")
    parser.add_argument("--broker", type=int)
    parser.add_argument("--cl-ord-id", help="shows this order of the broker instead of the market")
    parser.add_argument("--proof", metavar="FILE", help="writes the proof of the order's batch")
    arguments = parser.parse_args()
    if (arguments.broker is None) != (arguments.cl_ord_id is None):
        parser.error("--broker and --cl-ord-id come together")
    base = arguments.engine.rstrip("/")
    try:
        if arguments.broker is None:
            show_market(base)
            return 0
        return show_order(base, arguments.broker, arguments.cl_ord_id, arguments.proof)
    except urllib.error.HTTPError as refusal:
        problem = json.loads(refusal.read() or b"{}")
        print(f"{refusal.code}: {problem.get('detail', refusal.reason)}", file=sys.stderr)
        return 1
    except OSError as failure:
        print(f"{base}: {failure}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
