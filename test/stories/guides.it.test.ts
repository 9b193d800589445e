import { globSync } from 'node:fs';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { followGuide, isAsShown } from '../harness/guide.ts';
import { packagesAreReady } from '../harness/packages-are-ready.ts';
import { sharedSystem } from '../harness/system.ts';

/** The variables by which a guide can be given other ports than it names. */
const ports: Readonly<Record<string, readonly string[]>> = {
  'docs/start/browser.md': ['SHOP_PORT'],
  'docs/start/charge.md': ['BANK_PORT'],
  'docs/start/client.md': [],
  'docs/start/inbound.md': ['ORDERS_PORT'],
  'docs/start/transform.md': ['BANK_PORT'],
  'docs/start/webhooks.md': ['EVENTS_PORT'],
  'docs/start/who.md': [],
};

describe('the guides', () => {
  before(async function () {
    this.timeout(180_000);
    await packagesAreReady(await sharedSystem());
  });

  it('are all followed', () => {
    const pages = globSync('docs/start/*.md', { cwd: checkout }).filter(
      (page) => !page.endsWith('README.md'),
    );
    expect(pages.toSorted()).to.deep.equal(Object.keys(ports));
  });

  for (const [page, names] of Object.entries(ports)) {
    it(`work when they are followed word by word, and print what they show: ${page}`, async () => {
      const steps = await followGuide(page, await sharedSystem(), names);
      expect(steps).to.not.deep.equal([]);
      expect(steps.filter((step) => !isAsShown(step))).to.deep.equal([]);
    });
  }
});
