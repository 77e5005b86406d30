/** What a node rebuilds from its archive before it takes part. */
package io.sealbook.node.restart;
