/**
 * A replica in one process: a consensus node that runs an engine inside itself. The parts are those of the two shells;
 * this module wires them.
 */
package io.sealbook.replica;
