/** An application of Spring Boot 3 with a web server on Netty. */
package io.sealbook.consumers.boot3;
