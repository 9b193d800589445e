import type { EnvReader } from '@glovebox/platform/env';

import { maxPlaintextBytes } from './crypto/envelope.ts';
import { type TokenLimits, defaultTokenLimits } from './tokens/data-limits.ts';

export interface Limits {
  /** Of the body of a create or tokenize request. */
  readonly bodyBytes: number;
  /** Of each token that is asked for. */
  readonly token: TokenLimits;
  readonly tokensPerTokenize: number;
  /** Distinct tokens of one detokenize call (interface.md section 8). */
  readonly tokensPerDetokenize: number;
  readonly expressionsPerDetokenize: number;
  /** Of all values of one detokenize call together, in characters of JSON text. */
  readonly detokenizedLength: number;
  /** Of sealed data that is read from the database at once. */
  readonly readBytes: number;
  readonly cachedRows: number;
  readonly cachedRowBytes: number;
  /** How long a session lives unless whoever authorizes it says otherwise (api-facts 2.6). */
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
}

const minute = 60_000;
const mebibyte = 1024 * 1024;

/** How much one caller may have of everything; docs/settings.md. */
export function readLimits(reader: EnvReader): Limits {
  const count = (name: string, fallback: number, max: number) =>
    reader.integer(name, { default: fallback, min: 1, max });
  return {
    bodyBytes: count('MAX_BODY_BYTES', 2 * mebibyte, 16 * mebibyte),
    token: {
      dataBytes: count('MAX_TOKEN_DATA_BYTES', defaultTokenLimits.dataBytes, maxPlaintextBytes),
      maskBytes: count('MAX_MASK_BYTES', defaultTokenLimits.maskBytes, mebibyte),
      metadataEntries: count('MAX_METADATA_ENTRIES', defaultTokenLimits.metadataEntries, 1000),
      metadataNameLength: count('MAX_METADATA_NAME_LENGTH', defaultTokenLimits.metadataNameLength, 1000),
      metadataValueLength: count('MAX_METADATA_VALUE_LENGTH', defaultTokenLimits.metadataValueLength, 10_000),
      searchIndexes: count('MAX_SEARCH_INDEXES', defaultTokenLimits.searchIndexes, 100),
    },
    tokensPerTokenize: count('MAX_TOKENS_PER_TOKENIZE', 100, 1000),
    tokensPerDetokenize: count('MAX_TOKENS_PER_DETOKENIZE', 100, 1000),
    expressionsPerDetokenize: count('MAX_EXPRESSIONS_PER_DETOKENIZE', 1000, 100_000),
    detokenizedLength: count('MAX_DETOKENIZED_LENGTH', 7 * mebibyte, 64 * mebibyte),
    readBytes: count('MAX_READ_BYTES', 16 * mebibyte, 1024 * mebibyte),
    cachedRows: count('ROW_CACHE_MAX_ROWS', 100_000, 10_000_000),
    cachedRowBytes: count('ROW_CACHE_MAX_BYTES', 128 * mebibyte, 64 * 1024 * mebibyte),
    sessionLifetimeMs: count('SESSION_LIFETIME_MS', 3 * minute, 60 * minute),
    maxSessionLifetimeMs: count('MAX_SESSION_LIFETIME_MS', 24 * 60 * minute, 7 * 24 * 60 * minute),
    waitingSessions: count('MAX_WAITING_SESSIONS', 10_000, 1_000_000),
    liveSessions: count('MAX_LIVE_SESSIONS', 20_000, 10_000_000),
    clientKeys: count('MAX_CLIENT_KEYS', 100, 10_000),
    encryptedLength: count('MAX_ENCRYPTED_LENGTH', 1.5 * mebibyte, 16 * mebibyte),
  };
}
