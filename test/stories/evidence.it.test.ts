import { expect } from 'chai';

import { fuzzAll } from '../evidence/fuzz/campaign.ts';
import type { CampaignOptions } from '../evidence/report/campaign.ts';
import { tamperWith } from '../evidence/tamper/campaign.ts';
import { sharedSystem } from '../harness/system.ts';

/** Samples of the campaigns whose whole runs docs/evidence.md shows. */
describe('the evidence', function () {
  this.timeout(120_000);
  const options: CampaignOptions = { seed: 16, scale: 'sample', say: () => undefined };

  it('that no input makes a parser or a decision do anything else than its contract says', () => {
    expect(fuzzAll(options).failures).to.deep.equal([]);
  });

  it('that nothing is used which was changed where it is stored', async () => {
    const { cases, failures } = await tamperWith(await sharedSystem(), options);
    expect(failures).to.deep.equal([]);
    expect(cases).to.be.greaterThan(300);
  });
});
