// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.common.utils.ClassLoaderResourceLoader;
import org.apache.dubbo.common.utils.IOUtils;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ScopeModelInitializer;

/**
 * Reads Dubbo's lists of trusted and blocked classes before anything listens to them. Dubbo reads the same lists later, and
 * copies them for each listener after each of their 500 lines, which takes a fifth of the start of a test class. Used by
 * Dubbo.
 */
public final class TrustedClasses implements ScopeModelInitializer, Prioritized {

    /** Called by Dubbo. */
    public TrustedClasses() {}

    @Override
    public int getPriority() {
        return MAX_PRIORITY;
    }

    @Override
    public void initializeFrameworkModel(FrameworkModel framework) {
        SerializeSecurityManager trust = framework.getBeanFactory().getOrRegisterBean(SerializeSecurityManager.class);
        read(CommonConstants.SERIALIZE_ALLOW_LIST_FILE_PATH, trust::addToAlwaysAllowed);
        read(CommonConstants.SERIALIZE_BLOCKED_LIST_FILE_PATH, trust::addToDisAllowed);
    }

    private static void read(String list, Consumer<String> reader) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (URL url : ClassLoaderResourceLoader.loadResources(list, loader)) {
            try (InputStream in = url.openStream()) {
                Arrays.stream(IOUtils.readLines(in))
                        .map(String::trim)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .forEach(reader);
            } catch (IOException e) {
                // Dubbo logs it
            }
        }
    }

    @Override
    public void initializeApplicationModel(ApplicationModel application) {
        // Dubbo 3.2 has no default
    }

    @Override
    public void initializeModuleModel(ModuleModel module) {
        // Dubbo 3.2 has no default
    }
}
