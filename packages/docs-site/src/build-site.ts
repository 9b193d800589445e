import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readOpenApiDocument } from '@glovebox/openapi/document';

import { addressOf } from './address.ts';
import { apiPages } from './api-pages.ts';
import { furtherSources, parts, pictureSources } from './contents.ts';
import { errorsPage } from './errors-page.ts';
import { layout } from './layout.ts';
import { type RenderedPage, renderPage } from './markdown.ts';
import { searchIndex } from './search-index.ts';

/** By path, e.g. `/docs/contract/tokens`. */
export type SiteFiles = Readonly<Record<string, SiteFile>>;

export interface SiteFile {
  /** Media type. */
  readonly type: string;
  readonly text: string;
}

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/**
 * Builds the whole site in memory: some hundred milliseconds.
 *
 * @param checkout the folder of the repository, whose Markdown files it is made of
 */
export function buildSite(checkout: string): SiteFiles {
  const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
  const sources = sourcesIn(checkout);
  const hasPage = (source: string) => sources.has(source);
  const guides = Array.from(sources, (source) =>
    Object.assign(renderPage(read(source), { source, hasPage }), { address: addressOf(source) }),
  );
  const api = apiPages(readOpenApiDocument(), { source: 'docs/contract/README.md', hasPage });
  const pages: (RenderedPage & { readonly address: string })[] = [
    ...guides,
    ...api,
    { address: '/docs/errors', ...errorsPage() },
  ];
  const asset = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
  return Object.fromEntries<SiteFile>([
    ...pages.map((page): [string, SiteFile] => [page.address, { type: html, text: layout(page) }]),
    ...pictures(checkout).map((path): [string, SiteFile] => [
      addressOf(path),
      { type: 'image/svg+xml', text: read(path) },
    ]),
    ['/docs/assets/docs.css', { type: 'text/css; charset=utf-8', text: asset('docs.css') }],
    ['/docs/assets/docs.js', { type: script, text: asset('docs.js') }],
    ['/docs/assets/icon.svg', { type: 'image/svg+xml', text: asset('icon.svg') }],
    ['/docs/assets/minisearch.js', { type: script, text: searchScript() }],
    ['/docs/assets/search.json', { type: 'application/json', text: searchIndex(pages) }],
  ]);
}

function sourcesIn(checkout: string): ReadonlySet<string> {
  const listed = parts.flatMap(({ chapters }) => chapters.map(({ source }) => source));
  return new Set([...listed, ...globSync([...furtherSources], { cwd: checkout }).sort()]);
}

function pictures(checkout: string): string[] {
  return globSync([...pictureSources], { cwd: checkout }).sort();
}

/** The build for a `<script>`, beside the one for modules. */
function searchScript(): string {
  const url = new URL('../umd/index.js', import.meta.resolve('minisearch'));
  return readFileSync(url, 'utf8').replace(/\n\/\/# sourceMapping.*/, '');
}
