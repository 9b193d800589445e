import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { readRunning } from '@glovebox/local/run-journal';
import { type ServiceName, serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { type System, startSystem } from '../../../test/harness/system.ts';
import { metricsIn, readAlerts, readPanels } from './harness/expressions.ts';
import { readManifests } from './harness/manifests.ts';
import { scalingMetrics } from './harness/workloads.ts';

/** Not ours: kube-state-metrics tells them of pods that do not run, and of Jobs that have ended, which nobody can ask. */
const ofTheCluster = new Set([
  'kube_cronjob_created',
  'kube_cronjob_spec_suspend',
  'kube_cronjob_status_last_successful_time',
  'kube_deployment_status_replicas_unavailable',
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
    expect(new Set(others.map(({ by }) => by))).to.deep.equal(new Set(['BackupMissing', 'PodsMissing']));
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

  it('show whether a process is ready, by every check of /readyz', () => {
    const checks = [...exported].flatMap(([service, text]) =>
      [...text.matchAll(/^glovebox_ready\{check="(\w+)",service="([a-z-]+)"\} 1$/gm)].map(
        ([, check, name]) => {
          expect(name).to.equal(service);
          return `${service} ${check}`;
        },
      ),
    );
    const page = readFileSync(join(checkout, 'docs/failure-modes.md'), 'utf8');
    const told = [...page.matchAll(/^\| ([a-z-]+) +\| `(\w+)`/gm)].map(
      ([, service, name]) => `${service} ${name}`,
    );
    expect(checks).to.have.members(told);
  });

  it('begin at 0 where an alert looks for the first one', () => {
    const first = [
      'glovebox_events_lost_total',
      'glovebox_runner_deliveries_lost_total',
      'glovebox_runner_async_attempts_total',
    ];
    const all = [...exported.values()].join('\n');
    for (const name of first) expect(all).to.match(new RegExp(`^${name}\\{.*\\} 0$`, 'm'));
    expect(all).to.match(/^glovebox_runner_runs_total\{outcome="crashed".*\} 0$/m);
  });

  it('show the age of keys', () => {
    expect(exported.get('token-vault')).to.match(/^glovebox_vault_key_age_seconds\{\S+\} \d/m);
  });
});
