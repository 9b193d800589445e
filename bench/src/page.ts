import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { type Results, newestResults } from './measure/results-file.ts';

/** The benches of the page, in its order, and what a reader has to know of each. */
const parts: Readonly<Record<string, string>> = {
  proxy: `A POST of 500 bytes through the gateway, with and without a token, beside three proxies that look at nothing: the
least that Node's own parts can do (\`node:http\` and undici), http-proxy-3, and nginx. Ratios above 1 mean that Glovebox is
faster. G11 is the memory that a body of 50 MB takes.`,
  cold: `Gateways that have just become ready, with the warm-up that is usual in production, some three seconds of CPU, and without. On one core.`,
  transform: `A token and a transform, against a plain request, and against workerd, which changes the same field.`,
  vault: `Tokens that one core of the vault opens each second. Every use is recorded in the audit log.`,
  runner: `Warm transforms on one core that the runner shares with its worker, against isolated-vm alone.`,
  guard: `What the leak guard adds to a request with one token and an answer of 2 KB.`,
  hostile: `The dearest requests of 10 KB that we know, in milliseconds of CPU of the two processes that tenants share.`,
  configuration: `What a rebuild of an empty Redis, an update and a start take when there are many proxies. Two gateways serve meanwhile.`,
  fleet: `A fleet that is larger than a machine, simulated on one: real channels and streams, with nothing behind them, and announcements of
a real control-api to readers that only hear them. All share two cores, so times are those of a busy machine.`,
  neighbours: `Small requests of one tenant beside batches of another, against the same requests alone.`,
};

/** Writes \`docs/benchmarks.md\` from the newest results of each bench. */
export function run(): Promise<void> {
  const sections = Object.entries(parts).flatMap(([bench, about]) => {
    const results = newestResults(bench);
    return results === undefined ? [] : [sectionOf(results, about)];
  });
  const file = join(checkout, 'docs', 'benchmarks.md');
  writeFileSync(file, `${head}\n${sections.join('\n')}`);
  console.log(file);
  return Promise.resolve();
}

const head = `# Benchmarks

\`npm run bench -- page\` writes this page from the newest results on a machine. Each figure comes from one run in which all
that it compares takes turns, so the ratios say more than the absolute numbers: these are of a small shared machine. "MISSED"
is a goal of ours that this run did not reach.
`;

function sectionOf({ bench, at, machine, args, tables }: Results, about: string): string {
  const { node, cores, model } = machine;
  return `## ${bench[0]?.toUpperCase()}${bench.slice(1)}

${about}

\`npm run bench -- ${args.join(' ')}\`, ${at.slice(0, 10)}, Node ${node}, ${cores} cores of an ${model}.

${tables.map((table) => `\`\`\`text\n${table}\n\`\`\`\n`).join('\n')}`;
}
