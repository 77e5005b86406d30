/**
 * The consortium as the blocks so far have made it: brokers, keys, instruments and auditors at present, and what became
 * of recent administrative transactions.
 */
package io.sealbook.node.member;
