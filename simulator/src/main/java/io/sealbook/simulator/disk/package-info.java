/**
 * The disk of a simulated machine as a file system of the platform: shipped code opens, writes, forces and renames
 * files on it as on any other.
 *
 * <pre>
 *   write ─▶ in the kernel (survives the process) ── force ─▶ on the disk (survives the power)
 *   create, rename, delete ─▶ likewise ── force of the directory ─▶ likewise
 * </pre>
 *
 * A power failure keeps any part of what was not forced: each write whole, torn or not at all, and names up to some
 * point.
 */
package io.sealbook.simulator.disk;
