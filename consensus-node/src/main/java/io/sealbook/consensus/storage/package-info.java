/** The files of a node, opened together and closed in reverse order. */
package io.sealbook.consensus.storage;
