#!/bin/sh
# Builds the contract engine into perf/target/evm: OrderBook.hex by npm's solc, contract-engine by cargo with revm.
# Needs node, npm and cargo, and their registries at the first run. Nothing in the source tree changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$here/../target/evm
for tool in node npm cargo; do
  command -v "$tool" >/dev/null || { echo "perf/evm/build.sh needs $tool on PATH" >&2; exit 3; }
done
mkdir -p "$target/solc" "$target/engine"
cd "$target/solc"
cp "$here/package.json" "$here/compile.js" .
npm install --silent --no-audit --no-fund --no-package-lock
node compile.js "$here/OrderBook.sol" "$target/OrderBook.hex"
cd "$target/engine"
cp -R "$here/Cargo.toml" "$here/src" .
cargo build --release --quiet
cp target/release/contract-engine "$target/contract-engine"
echo "built $target/contract-engine and $target/OrderBook.hex"
