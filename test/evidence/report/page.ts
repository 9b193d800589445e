import { drawBars } from './bars.ts';
import type { Campaign, Table } from './campaign.ts';
import { type Result, readResult } from './results.ts';

const introduction = `# Evidence

What was done to break Glovebox's guarantees, and what came of it. \`npm run evidence\` runs the campaigns and writes this page;
\`npm run evidence -- tamper\` runs one, \`--seed 7\` makes other cases of it. Nothing here is written by hand: each section holds what the named run found, on the
named commit. CI runs a seeded sample of the campaigns on every change (\`test/stories/evidence.it.test.ts\`).
`;

/** The page of all campaigns, from the results of their latest whole runs. */
export function renderPage(campaigns: readonly Campaign[]): string {
  const found = campaigns.map((campaign) => ({ campaign, result: readResult(campaign.name) }));
  const summary = found.map(({ campaign, result }) => [
    `[${campaign.title}](#${campaign.title.toLowerCase().replaceAll(' ', '-')})`,
    campaign.guarantee,
    result === undefined ? 'not run yet' : number(result.cases),
    result === undefined ? '' : String(result.failures.length),
  ]);
  const head = ['campaign', 'guarantee', 'cases', 'failures'];
  return [
    introduction,
    markdown({ title: '', head, rows: summary }),
    ...found.map(({ campaign, result }) => section(campaign, result)),
  ].join('\n');
}

/** The pictures of the page, by the name of their file. */
export function renderPictures(campaigns: readonly Campaign[]): ReadonlyMap<string, string> {
  const pictures = new Map<string, string>();
  for (const { name } of campaigns) {
    const bars = readResult(name)?.bars;
    if (bars !== undefined) pictures.set(`${name}.svg`, drawBars(bars));
  }
  return pictures;
}

function section({ title, guarantee, method, name }: Campaign, result: Result | undefined): string {
  const opening = `## ${title}\n\n**${guarantee}** ${method}\n`;
  if (result === undefined)
    return `${opening}\nNot run yet on any commit: \`npm run evidence -- ${name}\` does.\n`;
  const { failures, bars, tables, notes = [] } = result;
  return [
    opening,
    `${number(result.cases)} cases, **${failures.length} failures**. \`${result.command}\`, ${result.date} UTC, commit ${result.commit}, ${result.seconds} s, ${result.machine}${result.load === undefined ? '' : `, load ${result.load.join(' to ')}`}.\n`,
    ...(failures.length === 0 ? [] : [`${failures.map((failure) => `- ${escape(failure)}`).join('\n')}\n`]),
    ...(bars === undefined ? [] : [`![${bars.title}](evidence/${name}.svg)\n`]),
    ...tables.map(markdown),
    ...notes.map((note) => `${note}\n`),
  ].join('\n');
}

function markdown({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |`;
  const lines = [line(head), line(head.map(() => '---')), ...rows.map(line)];
  return `${title === '' ? '' : `### ${title}\n\n`}${lines.join('\n')}\n`;
}

const number = (value: number) => value.toLocaleString('en');
const escape = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
