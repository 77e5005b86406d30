/**
 * What the brokers of a run recorded: each submission before it left, each receipt and each execution report when it
 * came. A ledger is a text file of lines; a torn last line of a killed program is left out.
 */
package io.sealbook.chaos.ledger;
