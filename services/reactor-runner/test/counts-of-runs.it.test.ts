import { expect } from 'chai';

import { startBtPool } from './bt-pool.ts';

describe('a run that has ended', () => {
  it('leaves its place to the next one of its tenant, even when noting its outcome throws', async () => {
    const noted: string[] = [];
    const onOutcome = ({ kind }: { readonly kind: string }) => {
      noted.push(kind);
      throw new Error('the outcome cannot be noted');
    };
    await using pool = await startBtPool({}, { runsPerTenant: 1, onOutcome });
    for (let run = 1; run <= 2; run += 1) {
      expect(await pool.run('module.exports = () => 1')).to.deep.equal({ kind: 'returned', value: 1 });
    }
    expect(noted[0]).to.equal('returned');
  });
});
