/** How a node's process ends: parts close in reverse order, and a failed core thread stops the votes. */
package io.sealbook.consensus.life;
