import type { Campaign, CampaignOptions, Findings } from '../report/campaign.ts';
import { answers } from './answers.ts';
import { bodies } from './bodies.ts';
import { addToCorpus, readCorpus } from './corpus.ts';
import { expressions } from './expressions.ts';
import { rules } from './rules.ts';
import type { Found, Target } from './target.ts';
import { wire } from './wire.ts';

const targets: readonly Target[] = [...bodies, ...expressions, ...rules, ...wire, ...answers];
/** Of all targets together. */
const casesOf = { sample: 18_000, full: 2_400_000 };

export const fuzz: Campaign = {
  name: 'fuzz',
  title: 'Fuzzing',
  guarantee: 'No input makes a parser, a filter or a decision do anything else than its contract says.',
  method:
    'fast-check makes inputs for each target from the seed, and makes one that fails as small as it can. Where it is possible the result is compared with a model that is written for being read and not for speed, and answers of destinations with what llhttp reads. Inputs that failed once are kept in `test/evidence/fuzz/corpus.json`, and CI tries them on every change. A case fails when the claim does not hold for it. The HTTP surface as a whole is fuzzed by `test/stories/fuzz.it.test.ts`.',
  async run(options) {
    return fuzzAll(options);
  },
};

export function fuzzAll({ seed, scale, say }: CampaignOptions): Findings {
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const again = readCorpus().flatMap(replayed);
  const rows: string[][] = [];
  const found: Found[] = [];
  let cases = readCorpus().length;
  for (const target of targets) {
    const count = Math.ceil((casesOf[scale] * target.share) / shares);
    const startedAt = performance.now();
    const failure = target.run(seed, count);
    const seconds = (performance.now() - startedAt) / 1000;
    if (failure !== undefined) found.push(failure);
    cases += count;
    rows.push([
      target.name,
      target.claim,
      count.toLocaleString('en'),
      failure === undefined ? '0' : '1',
      seconds.toFixed(1),
    ]);
    say(
      `  ${target.name}: ${count} in ${seconds.toFixed(1)} s${failure === undefined ? '' : `, FAILED: ${JSON.stringify(failure.input)} ${failure.problem}`}`,
    );
  }
  if (scale === 'full' && found.length > 0) addToCorpus(found);
  return {
    cases,
    failures: [
      ...again,
      ...found.map(({ target, input, problem }) => `${target}: ${JSON.stringify(input)}: ${problem}`),
    ],
    tables: [{ title: 'Targets', head: ['target', 'claim', 'cases', 'failures', 'seconds'], rows }],
    bars: {
      title: 'Cases by target',
      unit: '',
      bars: rows.map(([name = '', , count = '']) => ({ name, value: Number(count.replaceAll(',', '')) })),
    },
    notes: [`Of earlier runs ${readCorpus().length} inputs were tried again.`],
  };
}

function replayed({ target, input }: Found): string[] {
  try {
    targets.find(({ name }) => name === target)?.replay(input);
    return [];
  } catch (error) {
    return [`${target}, again: ${JSON.stringify(input)}: ${String(error)}`];
  }
}
