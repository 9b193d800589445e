import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

const cache = new Map<string, string>();

function read(path: string): string {
  const known = cache.get(path) ?? readFileSync(join(checkout, path), 'utf8');
  cache.set(path, known);
  return known;
}

const isOurs = (path: string) =>
  !/(?:^|\/)(?:node_modules|dist|gen|\.glovebox)\/|THIRD|package-lock/.test(path);

/** Every text file with comments, and every page. */
const sources = globSync(
  [
    '{bench,deploy,packages,protos,services,test}/**/*.{ts,tsx,js,mjs,cjs,proto,sql,sh,yaml}',
    'deploy/images/*',
    '.ci/*',
  ],
  { cwd: checkout },
).filter(isOurs);
const pages = globSync(['*.md', '{bench,deploy,docs,packages,protos,services,test}/**/*.md'], {
  cwd: checkout,
}).filter(isOurs);

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const withoutCode = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return new Set([...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading as string)));
}

function slug(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** What is wrong with a page that is named, if anything. */
function problemOf(page: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(checkout, page))) return 'there is no such file';
  if (anchor === undefined || !page.endsWith('.md')) return undefined;
  return anchorsOf(page).has(anchor) ? undefined : 'the page has no such heading';
}

/** A comment names a page of ours by its path, by its path below `docs/`, or by its place beside the file. */
function resolvePage(from: string, named: string): string {
  const candidates = [named, join('docs', named), normalize(join(dirname(from), named))];
  return candidates.find((path) => existsSync(join(checkout, path))) ?? (candidates[0] as string);
}

const citation = /(?<![\w./@-])((?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g;

/** Names of Markdown files in these are data, or what is looked for. */
const aboutNames = /^test\/fences\/(?:citations|documentation)\.test\.ts$/;

describe('citations', () => {
  it('in comments name pages and headings that there are', () => {
    const broken = sources
      .filter((path) => !aboutNames.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(citation)].flatMap(([cited, page = '', anchor]) => {
          const problem = problemOf(resolvePage(path, page), anchor);
          return problem === undefined ? [] : [`${path}: ${cited}: ${problem}`];
        }),
      );
    expect(broken).to.deep.equal([]);
  });

  it('are there: the contract is what comments refer to', () => {
    const cited = sources.filter((path) => /contract\/[\w-]+\.md#/.test(read(path)));
    expect(cited).to.have.length.above(100);
  });

  it('in pages lead to files and headings that there are', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
        ([link, target = '', anchor]) => {
          const to = target === '' ? page : normalize(join(dirname(page), target));
          const problem = problemOf(to, anchor);
          return problem === undefined ? [] : [`${page}: ${link}: ${problem}`];
        },
      ),
    );
    expect(broken).to.deep.equal([]);
  });

  it('of decisions name one that there is', () => {
    const numbers = new Set(
      globSync('docs/adr/[0-9]*.md', { cwd: checkout }).map((path) => Number(/(\d{4})-/.exec(path)?.[1])),
    );
    const broken = [...sources, ...pages].flatMap((path) =>
      [...read(path).matchAll(/\bADR (\d+)|docs\/adr\/(\d{4})/g)]
        .filter(([, spoken, named]) => !numbers.has(Number(spoken ?? named)))
        .map(([cited]) => `${path}: ${cited}`),
    );
    expect(broken).to.deep.equal([]);
  });
});
