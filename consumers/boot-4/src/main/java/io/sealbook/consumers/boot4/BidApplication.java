package io.sealbook.consumers.boot4;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.spring.OnExecutionReport;
import io.sealbook.spring.ReportDeliveryStoppedEvent;
import io.sealbook.spring.TimedBroker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** Bids once at each start, and logs all reports of its broker. */
@SpringBootApplication
public class BidApplication {
    private static final Logger log = LoggerFactory.getLogger(BidApplication.class);

    @Value("${bids.refuse-reports:false}")
    private boolean refusesReports;

    public static void main(String[] args) {
        SpringApplication.run(BidApplication.class, args);
    }

    @Bean
    ApplicationRunner bid(BrokerClient client, TimedBroker broker) {
        return arguments -> {
            var instrument = client.terms().getInstruments(0);
            long id = System.currentTimeMillis() * 10; // Live orders need different ClOrdIDs.
            broker.submit(Order.limit(
                            id,
                            client.accounts().lowest(),
                            instrument.getInstrumentId(),
                            Side.BUY,
                            instrument.getPriceMin(),
                            100))
                    .thenAccept(receipt -> log.info("bid {} is in block {}", id, receipt.blockSequence()));
        };
    }

    @OnExecutionReport
    void onReport(ExecutionReport report) {
        if (refusesReports) {
            throw new IllegalStateException("no room for report " + report.reportSequence());
        }
        log.info("report {}: {} {}", report.reportSequence(), report.clOrdId(), report.execType());
    }

    @EventListener
    void onStopped(ReportDeliveryStoppedEvent event) {
        log.error("report {} was not handled", event.unhandled().reportSequence(), event.cause());
    }
}
