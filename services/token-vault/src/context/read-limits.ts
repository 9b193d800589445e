import type { AccessLimits } from '@glovebox/access/access-limits';
import { readAccessLimits } from '@glovebox/access/read-access-limits';
import type { EnvReader } from '@glovebox/platform/settings/env';

import { maxPlaintextBytes } from '../crypto/envelope.ts';
import { most } from '../expressions/expression-limits.ts';
import { longestTokenId } from '../expressions/token-id-grammar.ts';
import { type TokenLimits, defaultTokenLimits } from '../tokens/data-limits.ts';

export interface Limits {
  /** Of the body of a create or tokenize request. */
  readonly bodyBytes: number;
  /** Levels of objects and arrays in it. */
  readonly bodyNesting: number;
  /** Of each token that is asked for. */
  readonly token: TokenLimits;
  readonly tokensPerTokenize: number;
  /** Distinct tokens of one detokenize call (contract/limits.md#sizes-and-counts). */
  readonly tokensPerDetokenize: number;
  readonly expressionsPerDetokenize: number;
  /** Of all values of one detokenize call together, in characters of JSON text. */
  readonly detokenizedLength: number;
  /** Of the filters of all expressions of one detokenize call together, in characters: each takes longer to read than to run. */
  readonly filtersLength: number;
  /** Of sealed data that is read from the database at once. */
  readonly readBytes: number;
  readonly cachedRows: number;
  readonly cachedRowBytes: number;
  /** How long a session lives unless whoever authorizes it says otherwise (contract/tenants.md#sessions). */
  readonly sessionLifetimeMs: number;
  /** The longest that it can be told to live. */
  readonly maxSessionLifetimeMs: number;
  /** Sessions of one application that wait to be authorized. */
  readonly waitingSessions: number;
  /** Sessions of one tenant, waiting or not. */
  readonly liveSessions: number;
  /** Of one tenant: key pairs to which clients encrypt. */
  readonly clientKeys: number;
  /** Of what a client has encrypted, in characters. */
  readonly encryptedLength: number;
  /** In characters (contract/limits.md#field-bounds). */
  readonly searchQueryLength: number;
  /** Items of a page (contract/conventions.md#pagination). */
  readonly pageSize: number;
  /** Up to here each count is a new one. */
  readonly countedAnew: number;
  readonly countKeptMs: number;
  /** Of the rules of one session, in characters of JSON. */
  readonly sessionRulesLength: number;
  /** Of a session's permissions and rules. */
  readonly access: AccessLimits;
}

const minute = 60_000;
const mebibyte = 1024 * 1024;

/** How much one caller may have of everything; docs/settings.md. */
export function readLimits(reader: EnvReader): Limits {
  const count = (name: string, fallback: number, max: number, min = 1) =>
    reader.integer(name, { default: fallback, min, max });
  // As long as the ids that the service makes.
  const tokenIdLength = count('MAX_TOKEN_ID_LENGTH', defaultTokenLimits.tokenIdLength, longestTokenId, 36);
  const access = readAccessLimits(reader, tokenIdLength);
  const { containerLength } = access;
  return {
    bodyBytes: count('MAX_BODY_BYTES', 2 * mebibyte, 16 * mebibyte),
    // What is nested is walked by recursion: at some thousands of levels the stack would not hold it.
    bodyNesting: count('MAX_BODY_NESTING', 100, 500, 10),
    token: { ...readTokenLimits(count), tokenIdLength, containerLength },
    tokensPerTokenize: count('MAX_TOKENS_PER_TOKENIZE', 100, 1000),
    tokensPerDetokenize: count('MAX_TOKENS_PER_DETOKENIZE', 100, 1000),
    expressionsPerDetokenize: count('MAX_EXPRESSIONS_PER_DETOKENIZE', 1000, 100_000),
    detokenizedLength: count('MAX_DETOKENIZED_LENGTH', 7 * mebibyte, 64 * mebibyte),
    filtersLength: count('MAX_FILTERS_LENGTH', 256 * 1024, mebibyte),
    readBytes: count('MAX_READ_BYTES', 16 * mebibyte, 1024 * mebibyte),
    cachedRows: count('ROW_CACHE_MAX_ROWS', 100_000, 10_000_000),
    cachedRowBytes: count('ROW_CACHE_MAX_BYTES', 128 * mebibyte, 64 * 1024 * mebibyte),
    sessionLifetimeMs: count('SESSION_LIFETIME_MS', 3 * minute, 60 * minute),
    maxSessionLifetimeMs: count('MAX_SESSION_LIFETIME_MS', 24 * 60 * minute, 7 * 24 * 60 * minute),
    waitingSessions: count('MAX_WAITING_SESSIONS', 10_000, 1_000_000),
    liveSessions: count('MAX_LIVE_SESSIONS', 20_000, 10_000_000),
    clientKeys: count('MAX_CLIENT_KEYS', 100, 10_000),
    encryptedLength: count('MAX_ENCRYPTED_LENGTH', 1.5 * mebibyte, 16 * mebibyte),
    searchQueryLength: count('MAX_SEARCH_QUERY_LENGTH', 200, 1000),
    pageSize: count('MAX_PAGE_SIZE', 100, 1000),
    countedAnew: count('MAX_COUNTED_ANEW', 10_000, 1_000_000),
    countKeptMs: count('COUNT_KEPT_MS', 30_000, 60 * minute),
    sessionRulesLength: count('MAX_SESSION_RULES_LENGTH', 16_384, 128 * 1024),
    access,
  };
}

type Count = (name: string, fallback: number, max: number, min?: number) => number;

function readTokenLimits(count: Count): Omit<TokenLimits, 'tokenIdLength' | 'containerLength'> {
  const usual = defaultTokenLimits;
  return {
    dataBytes: count('MAX_TOKEN_DATA_BYTES', usual.dataBytes, maxPlaintextBytes),
    maskBytes: count('MAX_MASK_BYTES', usual.maskBytes, mebibyte),
    metadataEntries: count('MAX_METADATA_ENTRIES', usual.metadataEntries, 1000),
    metadataNameLength: count('MAX_METADATA_NAME_LENGTH', usual.metadataNameLength, 1000),
    metadataValueLength: count('MAX_METADATA_VALUE_LENGTH', usual.metadataValueLength, 10_000),
    searchIndexes: count('MAX_SEARCH_INDEXES', usual.searchIndexes, 100),
    dataNesting: count('MAX_DATA_NESTING', usual.dataNesting, 100),
    maskNesting: count('MAX_MASK_NESTING', usual.maskNesting, 100),
    encryptionBytes: count('MAX_ENCRYPTION_BYTES', usual.encryptionBytes, 64 * 1024),
    searchValueLength: count('MAX_SEARCH_VALUE_LENGTH', usual.searchValueLength, 10_000),
    expressions: {
      length: count('MAX_EXPRESSION_LENGTH', usual.expressions.length, most.length, 36),
      filters: count('MAX_FILTERS', usual.expressions.filters, most.filters),
      indexLength: count('MAX_INDEX_EXPRESSION_LENGTH', usual.expressions.indexLength, most.indexLength),
    },
  };
}
