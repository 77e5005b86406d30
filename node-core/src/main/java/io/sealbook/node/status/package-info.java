/** What a node publishes about itself, and what its decisions count. */
package io.sealbook.node.status;
