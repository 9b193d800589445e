import { isDeepStrictEqual } from 'node:util';

import { createPostgres } from '@glovebox/platform/db/postgres';
import { decodeRecord } from '@glovebox/published/codec';
import { expect } from 'chai';

import { allPublishedApplications } from '../../src/applications/published.ts';
import type { ControlConfig } from '../../src/config.ts';
import { allPublishedProxies } from '../../src/proxies/published.ts';
import { allPublishedProxyRollouts } from '../../src/proxies/rollouts.ts';
import { readBacklog, readInstallation } from '../../src/publication/outbox.ts';
import { allPublishedReactors } from '../../src/reactors/published.ts';
import { allPublishedReactorRollouts } from '../../src/reactors/rollouts.ts';
import { allPublishedTenants } from '../../src/tenants/published.ts';
import { allPublishedWebhooks } from '../../src/webhooks/published.ts';
import type { ProjectionEyes } from './projection.ts';
import { until } from './until.ts';

/** Waits until Redis holds exactly what the database says, marked so, with nothing left to publish. */
export async function untilWhole(
  config: ControlConfig,
  eyes: ProjectionEyes,
  timeoutMs = 5000,
): Promise<void> {
  await using postgres = createPostgres({
    url: config.databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 5000,
    connectTimeoutMs: 5000,
    applicationName: 'test',
    onError: () => undefined,
  });
  await until(timeoutMs, async () => {
    const installation = await readInstallation(postgres);
    const seen = await eyes.see();
    expect(seen.marker).to.deep.equal({
      installationId: installation.id,
      lastEntry: installation.lastPublished,
    });
    expect((await readBacklog(postgres)).entries).to.equal(0);
    const expected = new Map<string, unknown>();
    for (const source of [
      allPublishedTenants,
      allPublishedApplications,
      allPublishedProxies,
      allPublishedProxyRollouts,
      allPublishedReactors,
      allPublishedReactorRollouts,
      allPublishedWebhooks,
    ]) {
      for await (const page of source(postgres.acrossTenants('test'))) {
        for (const { name, value } of page) expected.set(name, decodeRecord(value));
      }
    }
    expect([...seen.records.keys()].toSorted()).to.deep.equal([...expected.keys()].toSorted());
    const differing = [...expected].filter(
      ([name, record]) => !isDeepStrictEqual(seen.records.get(name), record),
    );
    expect(differing).to.deep.equal([]);
  });
}
