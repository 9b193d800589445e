import MiniSearch from 'minisearch';

import type { RenderedPage } from './markdown.ts';

/** A section that the search finds. */
export interface SearchEntry {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** What assets/docs.js opens the index with: both have to be the same. */
export const searchOptions = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
} as const;

/** `token:use`, `reveal_last` and `408` are words that users look for. assets/docs.js splits likewise. */
const wordBreak = /[^\p{L}\p{N}_:]+/u;

export function searchIndex(
  pages: readonly (Pick<RenderedPage, 'title' | 'sections'> & { readonly address: string })[],
): string {
  const index = new MiniSearch<SearchEntry>({
    ...searchOptions,
    fields: [...searchOptions.fields],
    storeFields: [...searchOptions.storeFields],
    tokenize: (text) => text.split(wordBreak).filter(Boolean),
  });
  for (const { address, title, sections } of pages) {
    const entries = sections
      .filter(({ heading, text }) => heading !== '' || text !== '')
      .map(({ heading, anchor, text }) => ({
        id: anchor === '' ? address : `${address}#${anchor}`,
        page: title,
        heading: heading === '' ? title : heading,
        text,
      }));
    index.addAll(entries);
  }
  return JSON.stringify(index);
}
