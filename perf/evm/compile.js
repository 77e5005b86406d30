// Compiles OrderBook.sol with npm's solc and writes the creation code as hex: node compile.js SOURCE OUTPUT
const fs = require('fs');
const solc = require('solc');

const [source, output] = process.argv.slice(2);
const input = {
  language: 'Solidity',
  sources: { 'OrderBook.sol': { content: fs.readFileSync(source, 'utf8') } },
  settings: {
    evmVersion: 'cancun',
    viaIR: true,
    optimizer: { enabled: true, runs: 100000 },
    outputSelection: { '*': { OrderBook: ['evm.bytecode.object'] } },
  },
};
const compiled = JSON.parse(solc.compile(JSON.stringify(input)));
const messages = compiled.errors || [];
messages.forEach((message) => console.error(message.formattedMessage));
if (messages.some((message) => message.severity === 'error')) {
  process.exit(1);
}
fs.writeFileSync(output, compiled.contracts['OrderBook.sol'].OrderBook.evm.bytecode.object);
