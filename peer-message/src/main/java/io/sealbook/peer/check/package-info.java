/**
 * What is checked of a vote before agreement hears of it: that it is its sender's own or signed, its form, and all
 * signatures in it.
 */
package io.sealbook.peer.check;
