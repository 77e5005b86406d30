/**
 * Checks before and beside a running node: its files and keys, the machine, its ports and certificates, and what the
 * other members say.
 *
 * <pre>
 *   NodeDoctor ─▶ FileChecks, MachineChecks, DiskChecks, PortChecks, CertificateChecks, MemberChecks ─▶ Findings
 * </pre>
 */
package io.sealbook.consensus.doctor;
