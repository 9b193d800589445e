import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { send } from '../harness/api.ts';
import { followGuide, isAsShown } from '../harness/guide.ts';
import { packagesAreReady } from '../harness/packages-are-ready.ts';
import { sharedSystem } from '../harness/system.ts';

/** The variables by which a guide can be given other ports than it names. */
const ports: Readonly<Record<string, readonly string[]>> = {
  'docs/moving/from-the-hosted-service.md': [],
  'docs/moving/from-vgs.md': ['UPSTREAM_PORT'],
  'docs/start/browser.md': ['SHOP_PORT'],
  'docs/start/charge.md': ['BANK_PORT'],
  'docs/start/client.md': [],
  'docs/start/failures.md': [],
  'docs/start/inbound.md': ['ORDERS_PORT'],
  'docs/start/transform.md': ['BANK_PORT'],
  'docs/start/webhooks.md': ['EVENTS_PORT'],
  'docs/start/who.md': [],
};

/** One to move tokens from, with a few, and an empty one. */
async function twoTenants(): Promise<Record<string, string>> {
  const system = await sharedSystem();
  const url = system.dev.base_url;
  const keys = await Promise.all(
    ['moves out', 'moves in'].map(async (name) => {
      const { management_api_key: key } = await anotherTenant(system, name);
      const permissions = ['token:create', 'token:read'];
      const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions }];
      const made = await send(url, 'POST', '/applications', { key, body: { name, type: 'private', rules } });
      return String(made.json.key);
    }),
  );
  const [from = '', to = ''] = keys;
  for (const id of ['tok_live_1', 'a @ b', '4f1f6f0e-0d3c-4c58-9b0d-3c1f2a5b6c7d']) {
    const body = { id, type: 'token', data: { name: 'Ann Lee' }, containers: ['/pii/high/'] };
    await send(url, 'POST', '/tokens', { key: from, body });
  }
  return { FROM_URL: url, FROM_KEY: from, TO_URL: url, TO_KEY: to };
}

describe('the guides', () => {
  before(async function () {
    this.timeout(180_000);
    await packagesAreReady(await sharedSystem());
  });

  it('are all followed', () => {
    const pages = globSync('docs/{start,moving}/*.md', { cwd: checkout }).filter(
      (page) => !page.endsWith('README.md') && page !== 'docs/moving/from-skyflow.md',
    );
    expect(pages.toSorted()).to.deep.equal(Object.keys(ports));
  });

  it('of the cookbook, too, that say how to try a recipe', async () => {
    const pages = globSync('docs/cookbook/*/README.md', { cwd: checkout }).filter((page) =>
      readFileSync(join(checkout, page), 'utf8').includes('```sh'),
    );
    expect(pages).to.contain('docs/cookbook/hmac-signature/README.md');
    for (const page of pages) {
      const steps = await followGuide(page, await sharedSystem());
      expect(steps.filter((step) => !isAsShown(step))).to.deep.equal([]);
    }
  });

  for (const [page, names] of Object.entries(ports)) {
    it(`work when they are followed word by word, and print what they show: ${page}`, async () => {
      const variables = page === 'docs/moving/from-the-hosted-service.md' ? await twoTenants() : {};
      const steps = await followGuide(page, await sharedSystem(), names, variables);
      expect(steps).to.not.deep.equal([]);
      expect(steps.filter((step) => !isAsShown(step))).to.deep.equal([]);
    });
  }
});
