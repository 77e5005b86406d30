/**
 * A directory of files as a log sees it. Logs are written against {@link io.sealbook.archive.storage.Storage}, so that
 * they own no file API and run the same on a real disk and on a simulated one.
 */
package io.sealbook.archive.storage;
