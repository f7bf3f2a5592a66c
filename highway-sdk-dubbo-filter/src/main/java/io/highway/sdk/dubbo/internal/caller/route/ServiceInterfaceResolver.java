// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.utils.StringUtils;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ModuleServiceRepository;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.support.ProtocolUtils;
import org.jspecify.annotations.Nullable;

/**
 * Finds the class whose annotations apply to a reference: the class from which Dubbo creates it. A thread's context
 * class loader is never used: the destination of calls must not depend on the thread that creates a reference.
 *
 * <p>A generic reference only names its interface; its class is the first that these loaders find:
 *
 * <ol>
 *   <li>the class that Dubbo has found for the service
 *   <li>the reference's own class loader
 *   <li>the class loaders of its module
 * </ol>
 */
public final class ServiceInterfaceResolver {

    private ServiceInterfaceResolver() {}

    /**
     * The interface of a reference's invoker, or null if it is generic and no loader knows its class. Throws nothing.
     */
    public static @Nullable Class<?> of(Invoker<?> reference) {
        URL consumerUrl = reference.getUrl();
        Class<?> type = reference.getInterface();
        String name = consumerUrl.getServiceInterface();
        if (!isGenericService(type) || type.getName().equals(name)) {
            return type;
        }
        ServiceModel service = consumerUrl.getServiceModel();
        if (service == null) {
            return find(name, null, consumerUrl.getScopeModel());
        }
        Class<?> found = service.getServiceMetadata() == null
                ? null
                : service.getServiceMetadata().getServiceType();
        return found != null && found.getName().equals(name)
                ? found
                : find(name, service.getInterfaceClassLoader(), service.getModuleModel());
    }

    /** The interface of a reference before its creation, or null if no loader knows its class. Throws nothing. */
    public static @Nullable Class<?> of(ReferenceConfig<?> reference) {
        ClassLoader own = reference.getInterfaceClassLoader();
        if (isGeneric(reference)) {
            return find(reference.getInterface(), own, reference.getScopeModel());
        }
        Class<?> found = own == null ? null : load(reference.getInterface(), own);
        try {
            return found != null ? found : reference.getInterfaceClass();
        } catch (RuntimeException | LinkageError e) {
            return null; // Dubbo itself reports it
        }
    }

    /** The names of the interfaces that an application references or exports, or will as it is configured. */
    public static Set<String> usedBy(ApplicationModel application) {
        Set<String> names = new TreeSet<>();
        for (ModuleModel module : application.getPubModuleModels()) {
            module.getConfigManager().getReferences().forEach(config -> names.add(config.getInterface()));
            module.getConfigManager().getServices().forEach(config -> names.add(config.getInterface()));
            ModuleServiceRepository services = module.getServiceRepository();
            Stream.concat(services.getReferredServices().stream(), services.getExportedServices().stream())
                    .forEach(
                            service -> names.add(BaseServiceMetadata.interfaceFromServiceKey(service.getServiceKey())));
        }
        return names;
    }

    /** Whether a class loader of an application knows the class. Throws nothing. */
    public static boolean exists(String name, ApplicationModel application) {
        return find(name, null, application) != null;
    }

    private static boolean isGeneric(ReferenceConfig<?> reference) {
        String generic = reference.getGeneric();
        if (StringUtils.isBlank(generic) && reference.getConsumer() != null) {
            generic = reference.getConsumer().getGeneric();
        }
        return ProtocolUtils.isGeneric(generic);
    }

    /** Whether it is Dubbo's {@code GenericService}, or the one of Dubbo 2. */
    private static boolean isGenericService(Class<?> type) {
        return type.getName().equals("org.apache.dubbo.rpc.service.GenericService")
                || type.getName().equals("com.alibaba.dubbo.rpc.service.GenericService");
    }

    private static @Nullable Class<?> find(String name, @Nullable ClassLoader own, @Nullable ScopeModel model) {
        Class<?> found = own == null ? null : load(name, own);
        Collection<ClassLoader> others = model == null ? List.of() : model.getClassLoaders();
        for (ClassLoader loader : others) {
            if (found == null) {
                found = load(name, loader);
            }
        }
        return found;
    }

    private static @Nullable Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
