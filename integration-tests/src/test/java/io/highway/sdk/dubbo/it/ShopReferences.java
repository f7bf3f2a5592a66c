// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import org.apache.dubbo.rpc.service.GenericService;

/** The references of one application to {@link Shop}, whose providers at home listen at one address. */
record ShopReferences(Shop typed, GenericService generic) {

    /** Makes both. */
    static ShopReferences of(TestApplication application, String homeDubbo) {
        return new ShopReferences(
                application
                        .reference(Shop.class, config -> config.setUrl("dubbo://" + homeDubbo))
                        .get(),
                application
                        .reference(GenericService.class, config -> {
                            config.setUrl("dubbo://" + homeDubbo);
                            config.setInterface(Shop.class.getName());
                            config.setGeneric("true");
                        })
                        .get());
    }
}
