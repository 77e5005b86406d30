//! The contract in an EVM whose state is in memory: one transaction for each batch.

use revm::context::result::{ExecutionResult, Output};
use revm::context::{BlockEnv, CfgEnv, Context, TxEnv};
use revm::database::{CacheDB, EmptyDB};
use revm::handler::{ExecuteCommitEvm, MainBuilder, MainContext, MainnetContext, MainnetEvm};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, Bytes, Log, TxKind, keccak256};
use sha2::{Digest, Sha256};

type Database = CacheDB<EmptyDB>;

const WORD: usize = 32;
/// execType, broker, clOrdId, lastPx, lastQty, leaves: the bytes of each word that enter the digest.
const REPORT_FIELDS: [usize; 6] = [1, 4, 8, 8, 8, 8];
const GAS_LIMIT: u64 = u64::MAX >> 1;
const OPERATOR: Address = Address::repeat_byte(0x11);

pub struct Contract {
    evm: MainnetEvm<MainnetContext<Database>>,
    address: Address,
    hasher: Sha256,
    digest: [u8; 32],
    reports: u64,
    gas: u64,
}

impl Contract {
    /// Creates the contract from its creation code as hex.
    pub fn create(code: &str) -> Result<Contract, String> {
        let code = revm::primitives::hex::decode(code).map_err(|e| format!("creation code: {e}"))?;
        let mut cfg = CfgEnv::new_with_spec(SpecId::CANCUN);
        cfg.disable_nonce_check = true;
        cfg.tx_gas_limit_cap = Some(u64::MAX);
        let block = BlockEnv { gas_limit: u64::MAX, ..Default::default() };
        let evm = Context::mainnet()
            .with_db(CacheDB::new(EmptyDB::default()))
            .with_cfg(cfg)
            .with_block(block)
            .build_mainnet();
        let mut contract = Contract {
            evm,
            address: Address::ZERO,
            hasher: Sha256::new(),
            digest: [0; 32],
            reports: 0,
            gas: 0,
        };
        match contract.transact(TxKind::Create, code.into())? {
            (Output::Create(_, Some(address)), _) => contract.address = address,
            other => return Err(format!("creation gave {other:?}")),
        }
        Ok(contract)
    }

    /// Admits an instrument.
    pub fn list(&mut self, instrument: u32, price_min: u64, price_max: u64, quantity_max: u64) -> Result<(), String> {
        let mut data = selector("list(uint32,uint64,uint64,uint64)");
        for value in [instrument as u64, price_min, price_max, quantity_max] {
            push_word(&mut data, value);
        }
        self.call(data).map(|_| ())
    }

    pub fn begin_block(&mut self) {
        self.hasher = Sha256::new();
        self.hasher.update(self.digest);
        self.reports = 0;
        self.gas = 0;
    }

    /// Executes a batch as one transaction; its reports enter the digest.
    pub fn execute(&mut self, broker: u32, entries: &[u8]) -> Result<(), String> {
        let mut data = selector("execute(uint32,bytes)");
        push_word(&mut data, broker as u64);
        push_word(&mut data, 2 * WORD as u64);
        push_word(&mut data, entries.len() as u64);
        data.extend(entries);
        data.resize(data.len().next_multiple_of(WORD) + 4, 0);
        for log in self.call(data)? {
            self.take_report(&log);
        }
        Ok(())
    }

    fn take_report(&mut self, log: &Log) {
        for (word, length) in log.data.data.chunks_exact(WORD).zip(REPORT_FIELDS) {
            self.hasher.update(&word[WORD - length..]);
        }
        self.reports += 1;
    }

    pub fn end_block(&mut self) {
        self.digest = self.hasher.clone().finalize().into();
    }

    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Returns the reports of the block.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// Returns the gas that the block used.
    pub fn gas(&self) -> u64 {
        self.gas
    }

    fn call(&mut self, data: Vec<u8>) -> Result<Vec<Log>, String> {
        self.transact(TxKind::Call(self.address), data.into()).map(|(_, logs)| logs)
    }

    fn transact(&mut self, kind: TxKind, data: Bytes) -> Result<(Output, Vec<Log>), String> {
        let tx = TxEnv { caller: OPERATOR, kind, data, gas_limit: GAS_LIMIT, ..Default::default() };
        match self.evm.transact_commit(tx).map_err(|e| format!("{e:?}"))? {
            ExecutionResult::Success { output, logs, gas, .. } => {
                self.gas += gas.tx_gas_used();
                Ok((output, logs))
            }
            other => Err(format!("transaction failed: {other:?}")),
        }
    }
}

fn selector(signature: &str) -> Vec<u8> {
    keccak256(signature)[..4].to_vec()
}

fn push_word(data: &mut Vec<u8>, value: u64) {
    data.extend([0; WORD - 8]);
    data.extend(value.to_be_bytes());
}
