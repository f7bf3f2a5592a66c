// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.lang.reflect.Method;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.MDC;
import org.slf4j.spi.MDCAdapter;

/**
 * Gives SLF4J's MDC values of each thread, as Logback does, until it is closed; the logging system of the tests has no
 * MDC. New threads inherit nothing.
 */
final class LogContext implements AutoCloseable {

    private final MDCAdapter before = MDC.getMDCAdapter();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    LogContext() {
        install(new PerThread());
    }

    /** The names of the threads that have written a value. */
    Set<String> threads() {
        return threads;
    }

    private static void install(MDCAdapter adapter) {
        try {
            Method set = MDC.class.getDeclaredMethod("setMDCAdapter", MDCAdapter.class);
            set.setAccessible(true);
            set.invoke(null, adapter);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        install(before);
    }

    private final class PerThread implements MDCAdapter {

        private final ThreadLocal<Map<String, String>> values = ThreadLocal.withInitial(HashMap::new);

        @Override
        public void put(String key, String value) {
            threads.add(Thread.currentThread().getName());
            values.get().put(key, value);
        }

        @Override
        public String get(String key) {
            return values.get().get(key);
        }

        @Override
        public void remove(String key) {
            values.get().remove(key);
        }

        @Override
        public void clear() {
            values.remove();
        }

        @Override
        public Map<String, String> getCopyOfContextMap() {
            return new HashMap<>(values.get());
        }

        @Override
        public void setContextMap(Map<String, String> map) {
            values.set(new HashMap<>(map));
        }

        @Override
        public void pushByKey(String key, String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String popByKey(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Deque<String> getCopyOfDequeByKey(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void clearDequeByKey(String key) {
            throw new UnsupportedOperationException();
        }
    }
}
