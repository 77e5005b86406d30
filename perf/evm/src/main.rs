//! An engine whose order book is a smart contract: executes blocks in revm and answers with a digest over the
//! contract's reports. It speaks frames on its standard input and output, see README.md, and ends with its input.

mod contract;
mod frame;

use contract::Contract;
use frame::{Frame, Reply};
use std::io::{self, BufReader, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(code) = std::env::args().nth(1) else {
        eprintln!("use: contract-engine FILE, the contract's creation code as hex");
        return ExitCode::from(2);
    };
    match run(&code) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fact) => {
            eprintln!("contract-engine: {fact}");
            ExitCode::FAILURE
        }
    }
}

fn run(code_file: &str) -> Result<(), String> {
    let code = std::fs::read_to_string(code_file).map_err(|e| format!("{code_file}: {e}"))?;
    let mut contract = Contract::create(code.trim())?;
    let mut input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    while let Some(frame) = Frame::read(&mut input).map_err(|e| format!("input: {e}"))? {
        let reply = match frame.execute(&mut contract) {
            Ok(reply) => reply,
            Err(fact) => Reply::Failed(fact),
        };
        reply.write(&mut output).and_then(|()| output.flush()).map_err(|e| format!("output: {e}"))?;
    }
    Ok(())
}
