//! The frames between a node and this engine: 4 bytes of length, then a kind and its fields, big-endian.

use crate::contract::Contract;
use std::io::{self, ErrorKind, Read, Write};

const LIST: u8 = 1;
const BLOCK: u8 = 2;
const EXECUTED: u8 = 0;
const FAILED: u8 = 1;
/// Larger than any block that a genesis file admits.
const LENGTH_MAX: usize = 64 << 20;

pub struct Frame(Vec<u8>);

pub enum Reply {
    Executed { digest: [u8; 32], reports: u64, gas: u64 },
    Failed(String),
}

impl Frame {
    /// Returns the next frame; nothing at the end of the input.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Frame>> {
        let mut length = [0; 4];
        match input.read_exact(&mut length) {
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let length = u32::from_be_bytes(length) as usize;
        if length > LENGTH_MAX {
            return Err(io::Error::new(ErrorKind::InvalidData, format!("frame of {length} bytes")));
        }
        let mut body = vec![0; length];
        input.read_exact(&mut body)?;
        Ok(Some(Frame(body)))
    }

    pub fn execute(&self, contract: &mut Contract) -> Result<Reply, String> {
        let mut fields = Fields(&self.0);
        match fields.u8()? {
            LIST => {
                while !fields.0.is_empty() {
                    contract.list(fields.u32()?, fields.u64()?, fields.u64()?, fields.u64()?)?;
                }
            }
            BLOCK => {
                contract.begin_block();
                while !fields.0.is_empty() {
                    let broker = fields.u32()?;
                    let length = fields.u32()? as usize;
                    contract.execute(broker, fields.take(length)?)?;
                }
                contract.end_block();
            }
            kind => return Err(format!("frame of kind {kind}")),
        }
        Ok(Reply::Executed { digest: contract.digest(), reports: contract.reports(), gas: contract.gas() })
    }
}

impl Reply {
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut body = Vec::new();
        match self {
            Reply::Executed { digest, reports, gas } => {
                body.push(EXECUTED);
                body.extend(digest);
                body.extend(reports.to_be_bytes());
                body.extend(gas.to_be_bytes());
            }
            Reply::Failed(fact) => {
                body.push(FAILED);
                body.extend(fact.as_bytes());
            }
        }
        output.write_all(&(body.len() as u32).to_be_bytes())?;
        output.write_all(&body)
    }
}

/// What is left of a frame.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        if length > self.0.len() {
            return Err(format!("frame ends {} bytes early", length - self.0.len()));
        }
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().unwrap()))
    }

    fn u64(&mut self) -> Result<u64, String> {
        Ok(u64::from_be_bytes(self.take(8)?.try_into().unwrap()))
    }
}
