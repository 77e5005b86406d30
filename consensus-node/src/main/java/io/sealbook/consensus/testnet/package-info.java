/**
 * Writes the directories of a new cluster: keys, genesis file and settings, one directory per node and per broker,
 * ready to be carried to other machines.
 */
package io.sealbook.consensus.testnet;
