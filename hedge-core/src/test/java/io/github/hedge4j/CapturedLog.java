package io.github.hedge4j;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/** What this library logs until this is closed. */
final class CapturedLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.hedge4j");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    CapturedLog() {
        appender.start();
        logger.addAppender(appender);
    }

    /** The messages of the exceptions that were logged, in order. */
    List<String> thrown() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(Objects::nonNull)
                .map(thrown -> thrown.getMessage())
                .toList();
    }

    /** The messages, in order. */
    List<String> messages() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
