/** A parsed search query (contract/tokens.md#search), in a subset of Lucene's language. */
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

/** A malformed query. The message never quotes it, because it may hold a searched value. */
export class SearchQueryError extends Error {
  override readonly name = 'SearchQueryError';
}
