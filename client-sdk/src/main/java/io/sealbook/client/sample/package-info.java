/** A broker's program to start from. */
package io.sealbook.client.sample;
