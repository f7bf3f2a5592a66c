#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A real Prometheus scrapes applications under load while parts of the star fail: builds what it needs, runs, ends
# everything. Exits with 0 only if each alert of docs/operate/monitoring fired in its own fault and in no other, none
# without a fault, and every expression of the dashboards has series.
#
# Usage: tools/monitoring/run.sh [options]
#   --quick           the same as --times 30
#   --times NUMBER    how many times shorter the windows of the alerts are; default: 20; 1: as shipped
#   --only NAME       only faults or drills whose name contains this, and no dashboards
#   --drills          six drills instead, with the times of fault, log line, alert and cure; installs faketime
#   --healthy MINUTES no fault instead, for so long, with twenty new rules: no alert may fire
#   --center zookeeper|nacos  the config centre that one application follows; default: zookeeper; the first time, Nacos
#                     is a download of 152 MB
#   --keep            at the end, leave all of it running until Ctrl-C
set -eu

sample=monitoring
. "$(dirname "$0")/../fixtures/sample.sh"
prometheus=$("$root/tools/gateways/install.sh" prometheus)
faketime=
case " $* " in
*" --drills "*) faketime=$("$root/tools/gateways/install.sh" faketime) ;;
esac
build_nacos_server "$@"
run io.highway.tools.monitoring.Monitoring --nacos-server "$nacos" --docs "$root/docs" --prometheus "$prometheus" --faketime "$faketime" "$@"
