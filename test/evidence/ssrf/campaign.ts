import type { Campaign } from '../report/campaign.ts';
import { attack } from './attack.ts';
import { startSsrfStage } from './stage.ts';

export const ssrf: Campaign = {
  name: 'ssrf',
  title: 'Server-side request forgery',
  guarantee: 'Nothing is sent to an address that the egress rules forbid.',
  method:
    'A system with the production rules asks a real name server, which binds names again, answers with TTL 0, with aliases and with mixed addresses. URLs that are spelled in every way that some program reads as a forbidden address, and names that mean one, come through every door. A listener on every address of the machine counts what arrives: a case fails when the answer is not a refusal by the rules, and the campaign when one connection reaches an address that no rule opens.',
  async run({ seed, scale, say }) {
    await using stage = await startSsrfStage();
    const tally = await attack(stage, seed, scale === 'sample' ? 12 : Infinity);
    for (const { name, count } of tally.doors) say(`  ${name}: ${count}`);
    return {
      cases: tally.cases,
      failures: tally.failures,
      tables: [
        {
          title: 'Vectors by door',
          head: ['kind', ...tally.doors.map(({ name }) => name)],
          rows: tally.rows,
        },
      ],
      bars: {
        title: 'Attempts by door, all of them refused or counted as failures',
        unit: '',
        bars: tally.doors.map(({ name, count }) => ({ name, value: count })),
      },
      notes: [
        `Connections to addresses that no rule opens: ${stage.breaches.length}. Requests that arrived where they may: ${stage.arrived.length}.`,
        "Code of tenants runs in worker processes with the machine's own resolver, so that its vectors are spelled ones; what its names resolve to is judged by the same connector (`packages/egress`).",
      ],
    };
  },
};
