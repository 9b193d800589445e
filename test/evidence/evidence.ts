// `npm run evidence`: runs the campaigns and writes docs/evidence.md.
// `npm run evidence -- <name> … --seed <number> --sample`: some of them, other cases, and few of them. A sample is printed only.
// `npm run evidence -- --page`: writes the page from what was found before.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { checkout } from '@glovebox/local/places';

import { campaigns } from './campaigns.ts';
import type { Campaign } from './report/campaign.ts';
import { renderPage, renderPictures } from './report/page.ts';
import { circumstances, resultOf, writeResult } from './report/results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'boolean', default: false },
    // The page anew, from what was found before.
    page: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const scale = values.sample ? 'sample' : 'full';
const say = (line: string) => void process.stdout.write(`${line}\n`);

const unknown = positionals.filter((name) => campaigns.every((campaign) => campaign.name !== name));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  say(`npm run evidence -- [${campaigns.map(({ name }) => name).join(' ')}] [--seed <number>] [--sample]`);
  process.exitCode = 1;
} else if (values.page) {
  writePage();
} else {
  const asked = campaigns.filter(({ name, isOnlyByName = false }) =>
    positionals.length === 0 ? !isOnlyByName : positionals.includes(name),
  );
  for (const campaign of asked) await runOne(campaign);
}

async function runOne(campaign: Campaign): Promise<void> {
  say(`\n${campaign.name}, seed ${seed}: ${campaign.guarantee}`);
  const begun = circumstances(seed);
  const findings = await campaign.run({ seed, scale, say });
  const result = resultOf(campaign, findings, begun);
  say(`${result.cases} cases, ${result.failures.length} failures, ${result.seconds} s`);
  for (const failure of result.failures) say(`  ${failure}`);
  if (result.failures.length > 0) process.exitCode = 1;
  if (scale === 'sample') return;
  writeResult(result);
  writePage();
}

function writePage(): void {
  const page = join(checkout, 'docs', 'evidence.md');
  writeFileSync(page, renderPage(campaigns));
  for (const [name, picture] of renderPictures(campaigns))
    writeFileSync(join(checkout, 'docs', 'evidence', name), picture);
  execFileSync('oxfmt', [page, join(checkout, 'docs', 'evidence')], { cwd: checkout });
}
