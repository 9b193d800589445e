import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, send } from '../harness/api.ts';
import type { HostileCase } from '../harness/hostile/cases.ts';
import { type HostileDestination, startHostileDestination } from '../harness/hostile/destination.ts';
import { fuzzedCases } from '../harness/hostile/fuzzed.ts';
import { livesOn } from '../harness/hostile/lives-on.ts';
import { tableOfCases } from '../harness/hostile/table.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const tenantCount = 4;
/** A tenant has no more of them. */
const webhooksAtOnce = 5;
/** Every so many of those that are written down, and others. */
const casesOfWebhooks: readonly HostileCase[] = [
  ...tableOfCases().filter((_, index) => index % 20 === 0),
  ...fuzzedCases(60),
];
const casesOfCallbacks: readonly HostileCase[] = tableOfCases().filter((_, index) => index % 45 === 0);

interface Tenant {
  /** Makes something of the tenant's, by its manager. */
  readonly manage: (method: string, path: string, body?: object) => Promise<Json>;
  /** The same by its private application. */
  readonly use: (path: string, body: object) => Promise<Json>;
}

async function newTenant(system: System, name: string): Promise<Tenant> {
  const { management_api_key: key } = await anotherTenant(system, name);
  const done = async (method: string, path: string, sent: Parameters<typeof send>[3]) => {
    const answer = await send(system.dev.base_url, method, path, sent);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const manage: Tenant['manage'] = (method, path, body) => done(method, path, { key, ...(body && { body }) });
  const application = { name, type: 'private', permissions: ['token:create', 'token:use'] };
  const { key: own } = await manage('POST', '/applications', application);
  return { manage, use: (path, body) => done('POST', path, { key: own, body }) };
}

describe('a hostile receiver of deliveries', () => {
  let system: System;
  let tenants: readonly Tenant[];
  before(async () => {
    system = await sharedSystem();
    const names = Array.from({ length: tenantCount }, (_, index) => `hostile ${index}`);
    tenants = await Promise.all(names.map((name) => newTenant(system, name)));
  });

  /** Has each of the tenants take cases, so many at a time, until there are none. */
  async function share(
    cases: readonly HostileCase[],
    atOnce: number,
    by: readonly Tenant[],
    take: (tenant: Tenant, indices: readonly number[]) => Promise<void>,
  ): Promise<void> {
    const lives = livesOn(system);
    const startedAt = performance.now();
    const parts = Array.from({ length: Math.ceil(cases.length / atOnce) }, (_, part) => {
      const from = part * atOnce;
      return cases.slice(from, from + atOnce).map((_one, index) => from + index);
    }).values();
    const lane = async (tenant: Tenant) => {
      for (const indices of parts) await take(tenant, indices);
    };
    await Promise.all(by.map(lane));
    lives.expect();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`      ${cases.length} cases in ${seconds} s\n`);
  }

  const untilAnswered = (to: HostileDestination, indices: readonly number[]) =>
    until(`${indices.join()} were answered`, () => indices.every((index) => to.answered.has(index)));

  it('ends and stalls nothing of the runner by what it answers to events', async function () {
    this.timeout(120_000);
    await using destination = await startHostileDestination(casesOfWebhooks);
    await share(casesOfWebhooks, webhooksAtOnce, tenants, async ({ manage, use }, indices) => {
      const hooks = await Promise.all(
        indices.map((index) => {
          const url = `${destination.url}/case/${index}`;
          return manage('POST', '/webhooks', { name: 'w', url, events: ['token.created'] });
        }),
      );
      await use('/tokens', { type: 'token', data: 'x' });
      await untilAnswered(destination, indices);
      await Promise.all(hooks.map(({ id }) => manage('DELETE', `/webhooks/${id}`)));
    });
  });

  it('gets a result again that it did not accept, whatever it answered', async function () {
    this.timeout(120_000);
    await using destination = await startHostileDestination(casesOfCallbacks);
    const code = 'module.exports = async () => ({ raw: { a: 1 } });';
    const [tenant] = tenants as readonly [Tenant];
    const formula = await tenant.manage('POST', '/reactor-formulas', { name: 'f', type: 'private', code });
    const made = { name: 'r', configuration: {}, formula: { id: formula.id } };
    const reactor = await tenant.manage('POST', '/reactors', made);
    // One alone: the workers of asynchronous invocations belong to one tenant after the other.
    await share(casesOfCallbacks, 1, [tenant], async ({ use }, indices) => {
      const callback_url = `${destination.url}/once/${indices[0]}`;
      await use(`/reactors/${reactor.id}/react`, { args: {}, callback_url });
      await untilAnswered(destination, indices);
    });
    const refused = casesOfCallbacks.flatMap(({ endings }, index) =>
      endings.join() === 'error' ? [index] : [],
    );
    expect(refused.length).to.be.greaterThan(10);
    await until(
      'those that were not accepted were sent again',
      () => refused.every((index) => (destination.answered.get(index) ?? 0) > 1),
      90_000,
    );
  });
});
