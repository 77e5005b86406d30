/** What the machinery counts. Any part of it may know this package; it knows only what a program is shown. */
package io.sealbook.client.metrics;
