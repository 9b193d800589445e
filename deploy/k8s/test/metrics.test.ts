import { readRunning } from '@glovebox/local/run-journal';
import { type ServiceName, serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { type System, startSystem } from '../../../test/harness/system.ts';
import { metricsIn, readAlerts, readPanels } from './harness/expressions.ts';
import { readManifests } from './harness/manifests.ts';
import { scalingMetrics } from './harness/workloads.ts';

/** Not ours: kube-state-metrics tells them of the CronJob, since a Job that has ended is asked by nobody. */
const ofTheCluster = new Set([
  'kube_cronjob_created',
  'kube_cronjob_spec_suspend',
  'kube_cronjob_status_last_successful_time',
]);

describe('the metrics of a running system', () => {
  let system: System;
  const exported = new Map<ServiceName, string>();

  before(async () => {
    // As in production: certificates have metrics too.
    system = await startSystem({ env: { GLOVEBOX_MTLS: '1' } });
    // An error of each of the two that answer the public.
    const key = { 'SVC-API-KEY': 'key_unknown' };
    await fetch(`${system.dev.base_url}/tokens/unknown`, { headers: key });
    await fetch(`${system.dev.base_url}/proxies`, { headers: key });
    const ports = readRunning(system.stateDir)!.system!.ports;
    for (const name of serviceNames) {
      const answer = await fetch(`http://127.0.0.1:${ports[`${name}-metrics`]}/metrics`);
      exported.set(name, await answer.text());
    }
  });

  after(() => system[Symbol.asyncDispose]());

  /** Of a histogram also the names of its parts. */
  const namesIn = (text: string) =>
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name as string],
    );

  it('are those that the alerts, the dashboards and the autoscalers name', () => {
    const names = new Set([...exported.values()].flatMap(namesIn));
    const scaled = scalingMetrics(readManifests('prod'));
    const wanted = [
      ...readAlerts().flatMap(({ alert, expr }) => metricsIn(expr).map((metric) => ({ by: alert, metric }))),
      ...readPanels().flatMap(({ title, expr }) => metricsIn(expr).map((metric) => ({ by: title, metric }))),
      ...scaled.map((metric) => ({ by: 'an autoscaler', metric })),
    ];
    expect(wanted.length).to.be.greaterThan(50);
    const others = wanted.filter(({ metric }) => !names.has(metric));
    expect(others.filter(({ metric }) => !ofTheCluster.has(metric))).to.deep.equal([]);
    expect(new Set(others.map(({ by }) => by))).to.deep.equal(new Set(['BackupMissing']));
  });

  it('come from the service that an expression asks for them', () => {
    const wrong = [...readAlerts(), ...readPanels()].flatMap(({ expr }) =>
      [...expr.matchAll(/(\w+)\{[^}]*service="([a-z-]+)"/g)]
        .filter(
          ([, metric, service]) => !namesIn(exported.get(service as ServiceName) ?? '').includes(metric!),
        )
        .map(([, metric, service]) => `${metric} of ${service}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('name the service, and the code of an error', () => {
    for (const [service, text] of exported) expect(text).to.contain(`service="${service}"`);
    for (const service of ['proxy-gateway', 'control-api'] as const) {
      const line = new RegExp(
        `^glovebox_http_errors_total\\{code="unauthenticated",service="${service}"\\} [1-9]`,
        'm',
      );
      expect(exported.get(service)).to.match(line);
    }
  });

  it('tell how old keys are', () => {
    expect(exported.get('token-vault')).to.match(/^glovebox_vault_key_age_seconds\{\S+\} \d/m);
  });
});
