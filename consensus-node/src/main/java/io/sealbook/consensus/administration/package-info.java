/**
 * How a member's operator changes the consortium: files of transactions that members approve, and the call that hands
 * one in.
 */
package io.sealbook.consensus.administration;
