/** Carries out what the replica decides: persist, sync, send, deliver, the rest. */
package io.sealbook.node.agent;
