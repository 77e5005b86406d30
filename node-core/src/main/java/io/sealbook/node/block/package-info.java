/** Committed blocks as their readers see them. */
package io.sealbook.node.block;
