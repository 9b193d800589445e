/** A search query as it reads (contract/tokens.md#search): a subset of Lucene's language. */
export type SearchQuery =
  | { readonly kind: 'and' | 'or'; readonly of: readonly SearchQuery[] }
  | { readonly kind: 'not'; readonly of: SearchQuery }
  | Term
  | Range;

export interface Term {
  readonly kind: 'term';
  readonly field: string;
  readonly value: string;
}

export interface Range {
  readonly kind: 'range';
  readonly field: string;
  /** Undefined: open. */
  readonly from: End | undefined;
  readonly to: End | undefined;
}

export interface End {
  readonly text: string;
  readonly inclusive: boolean;
}

/** What keeps a query from being one. The message never quotes it: it may hold what is searched for. */
export class SearchQueryError extends Error {
  override readonly name = 'SearchQueryError';
}
