/** The threads and connections of the archive's repair, which {@code io.sealbook.node.repair} decides. */
package io.sealbook.consensus.repair;
