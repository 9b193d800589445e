import { expect } from 'chai';

import type { CampaignOptions } from '../evidence/report/campaign.ts';
import { tamperWith } from '../evidence/tamper/campaign.ts';
import { sharedSystem } from '../harness/system.ts';

/** Samples of the campaigns whose whole runs docs/evidence.md shows. */
describe('the evidence', function () {
  this.timeout(120_000);
  const options: CampaignOptions = { seed: 16, scale: 'sample', say: () => undefined };

  it('that nothing is used which was changed where it is stored', async () => {
    const { cases, failures } = await tamperWith(await sharedSystem(), options);
    expect(failures).to.deep.equal([]);
    expect(cases).to.be.greaterThan(300);
  });
});
