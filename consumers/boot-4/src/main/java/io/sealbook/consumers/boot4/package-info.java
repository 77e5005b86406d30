/** The application that the starter's README shows. */
package io.sealbook.consumers.boot4;
