/**
 * The genesis ceremony: contributions that members sign, the genesis file that is made of them, and the members'
 * signatures of it.
 *
 * <pre>
 *   member: MemberContribution ──file──▶ proposer: GenesisAssembly ──genesis.json, genesis-signatures.json──▶
 *     each member: CeremonyCheck, then its signature (GenesisSigning) ──▶ each node at its start: CeremonyCheck
 * </pre>
 */
package io.sealbook.consensus.ceremony;
