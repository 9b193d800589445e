import { type System, startSystem } from '../../harness/system.ts';
import type { Campaign, CampaignOptions, Findings } from '../report/campaign.ts';
import { randomOf } from '../report/random.ts';
import { Tally } from '../report/tally.ts';
import { tamperWithExports } from './exports.ts';
import { tamperWithPublished } from './published.ts';
import { tamperWithSnapshots } from './snapshots.ts';
import { tamperStage } from './stage.ts';
import { tamperWithRows } from './token-rows.ts';

/** Of all cases that CI tries, where they are many and each is quick or slow. */
const sample = { rows: 0.04, published: 0.01, snapshots: 0.02, exports: 0.005 };
const everything = { rows: 1, published: 1, snapshots: 1, exports: 1 };

export const tamper: Campaign = {
  name: 'tamper',
  title: 'Tampering',
  guarantee:
    'What somebody has changed where it is stored is never used: it is detected, or decides nothing.',
  method:
    "Every byte of every column of a stored token is changed in the database, and columns come from another token, another tenant's token and an earlier version, alone and in pairs. Every bit of the published records of a running system is changed, every beginning of them and every exchange tried; so is every byte of the files of a snapshot, and of an export of the audit log, with its lines left out, doubled, moved and taken from another tenant. A case fails when the answer is neither a refusal nor byte for byte the right one.",
  async run(options) {
    await using system = await startSystem();
    return await tamperWith(system, options);
  },
};

/** The campaign on a system that runs, which it leaves as it found it. */
export async function tamperWith(system: System, { seed, scale, say }: CampaignOptions): Promise<Findings> {
  const share = scale === 'sample' ? sample : everything;
  const tally = new Tally();
  const random = randomOf(seed);
  const stage = await tamperStage(system);
  // While the log is short: each read of a row that was changed makes an entry.
  await tamperWithExports(stage, tally, random, share.exports);
  say(`  exports: ${tally.cases}`);
  await tamperWithRows(stage, tally, random, share.rows);
  say(`  and rows: ${tally.cases}`);
  await tamperWithPublished(stage, tally, random, share.published);
  say(`  and published records: ${tally.cases}`);
  await tamperWithSnapshots(stage, tally, random, share.snapshots);
  return {
    cases: tally.cases,
    failures: tally.failures,
    tables: [
      {
        title: 'What came of each change',
        head: ['what was changed', 'outcome', 'cases'],
        rows: tally.pairs,
      },
    ],
    bars: {
      title: 'Changes by what was changed',
      unit: '',
      bars: tally.doors.map(({ name, count }) => ({ name, value: count })),
    },
    notes: [
      'A whole row of an earlier version authenticates; `audit verify` finds it, and it is not among the cases ([threat model](threat-model.md)). "The very same answer" is given where the change means the same: the same JSON or time in another spelling, a hexadecimal digit in the other case.',
    ],
  };
}
