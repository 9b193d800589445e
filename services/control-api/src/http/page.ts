import type { QueryReader } from './query.ts';

/** Which part of a list is wanted (contract/conventions.md#pagination). */
export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

const defaultSize = 20;
const maxNumber = 2 ** 31 - 1;

/** @param largest size of a page. */
export function readPage(query: QueryReader, largest: number): Page {
  return { number: query.integer('page', 1, maxNumber), size: readSize(query, largest) };
}

export function readSize(query: QueryReader, largest: number): number {
  return query.integer('size', Math.min(defaultSize, largest), largest);
}

export function offsetOf(page: Page): number {
  return (page.number - 1) * page.size;
}

/** The list envelope. */
export function envelope(page: Page, totalItems: number, data: readonly object[]) {
  return {
    pagination: {
      total_items: totalItems,
      page_number: page.number,
      page_size: page.size,
      total_pages: Math.ceil(totalItems / page.size),
    },
    data,
  };
}

/**
 * The ILIKE pattern of a wildcard search: `*` matches any run of characters, all else for itself. Without a
 * `*` it is a search for a part of the name.
 */
export function likePattern(search: string): string {
  const escaped = search.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
  return escaped.includes('*') ? escaped.replaceAll(/\*+/g, '%') : `%${escaped}%`;
}
