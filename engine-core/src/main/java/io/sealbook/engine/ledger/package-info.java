/** What the reports of a broker come to: orders that rest, positions of accounts, as of a block. */
package io.sealbook.engine.ledger;
