// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.test.Islands;
import io.highway.sdk.test.TestIsland;
import io.highway.tools.kit.scenario.Scenario.Fault;
import java.util.List;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.service.GenericService;

/** Islands of highway-sdk-test. */
final class KitPlace implements Place {

    private final Islands islands;

    KitPlace(Scenario scenario, boolean real) {
        Islands.Builder settings =
                Islands.builder().home("zhejiang").islands("shanghai").real(real);
        KEYS.forEach(settings::property);
        scenario.keys().forEach(settings::property);
        islands = settings.start();
        islands.at("shanghai").serves(Desk.class, text -> Desk.answer("shanghai", text));
        islands.home().serves(Desk.class, text -> Desk.answer("zhejiang", text));
    }

    @Override
    public int make(Fault fault) {
        TestIsland shanghai = islands.at("shanghai");
        TestIsland unused =
                switch (fault) {
                    case NONE -> shanghai;
                    case DOWN -> shanghai.isDown();
                    case LOST -> shanghai.losesAnswers();
                    case LATE -> shanghai.delays(LATE);
                    case REFUSED -> shanghai.refuses(Reason.REFUSED_THERE);
                    case BREAKER -> shanghai.breakerOpen();
                };
        return 0;
    }

    @Override
    public Desk desk() {
        return islands.reference(Desk.class);
    }

    @Override
    public GenericService generic() {
        ReferenceConfig<GenericService> reference = new ReferenceConfig<>();
        reference.setScopeModel(application().getDefaultModule());
        reference.setInterface(Desk.class.getName());
        reference.setGeneric("true");
        reference.setRegistry(new RegistryConfig("highway-test://home"));
        return reference.get();
    }

    @Override
    public ApplicationModel application() {
        return islands.application();
    }

    @Override
    public List<CallOutcome> outcomes() {
        return islands.outcomes();
    }

    @Override
    public void close() {
        islands.close();
    }
}
