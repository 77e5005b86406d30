/** The threads that check transferred blocks beside the committer. */
package io.sealbook.consensus.transfer;
