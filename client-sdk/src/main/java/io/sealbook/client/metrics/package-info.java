/** What the machinery counts. Any part of it may use this package, which itself uses only what a program is shown. */
package io.sealbook.client.metrics;
