package io.sealbook.consumers.boot3;

import io.sealbook.consumers.plain.BidAndCancel;
import java.nio.file.Path;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Trades beside a web server on Netty and a client of it. The argument is a broker's directory. */
@SpringBootApplication
@RestController
public class Boot3Broker {
    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(Boot3Broker.class, args)));
    }

    @GetMapping("/own")
    Mono<String> own() {
        return Mono.just("works");
    }

    @Bean
    CommandLineRunner trade(ReactiveWebServerApplicationContext context) {
        return args -> {
            BidAndCancel.run(Path.of(args[0]));
            System.out.println("own web "
                    + WebClient.create(
                                    "http://localhost:" + context.getWebServer().getPort())
                            .get()
                            .uri("/own")
                            .retrieve()
                            .bodyToMono(String.class)
                            .block());
        };
    }
}
