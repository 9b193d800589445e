import { accessLimitSettings, accessLimits } from '@glovebox/access/access-limits';
import { integer, integers } from '@glovebox/platform/settings/builders';
import { bodyBytes, bodyNesting, pageSize } from '@glovebox/platform/settings/common-settings';
import { type SettingsOf, derived } from '@glovebox/platform/settings/setting';

import { tokenLimitSettings } from '../tokens/data-limits.ts';

const minute = 60_000;
const mebibyte = 1024 * 1024;

/** How much of everything one caller may have. */
export const limitSettings = {
  /** Of the body of a create or tokenize request. */
  bodyBytes,
  bodyNesting,
  /** Of each token that is asked for. */
  token: tokenLimitSettings,
  tokensPerTokenize: integer(
    'MAX_TOKENS_PER_TOKENIZE',
    'Values of one tokenize request, and requests for tokens in `SVC-ENCRYPTED`',
    { default: 100, min: 1, max: 1000 },
  ),
  /** Of one detokenize call (contract/limits.md#sizes-and-counts). */
  tokensPerDetokenize: integer('MAX_TOKENS_PER_DETOKENIZE', 'Distinct tokens of one request', {
    default: 100,
    min: 1,
    max: 1000,
  }),
  // As many as one body may hold by default, each counted once.
  expressionsPerDetokenize: 1000,
  // Of all values of one detokenize call together, in characters of JSON text.
  detokenizedLength: 7 * mebibyte,
  // Of the filters of all expressions of one detokenize call together, in characters: each takes longer to read than to run.
  filtersLength: 256 * 1024,
  // Of sealed data that is read from the database at once.
  readBytes: 16 * mebibyte,
  // The same of one page, so that a token of any size has one: all of it is opened, copied and sent for one small request.
  pageBytes: 1.25 * mebibyte,
  // The cache of sealed rows is bounded by its bytes; so many rows are as many as its index is good for.
  cachedRows: 100_000,
  cachedRowBytes: integer('ROW_CACHE_MAX_BYTES', 'The cache of sealed rows', {
    default: 128 * mebibyte,
    min: 1,
    max: 64 * 1024 * mebibyte,
  }),
  /** (contract/tenants.md#sessions) */
  sessionLifetimeMs: integer(
    'SESSION_LIFETIME_MS',
    'How long a session lives unless its request says otherwise',
    {
      default: 3 * minute,
      min: 1,
      max: 60 * minute,
    },
  ),
  maxSessionLifetimeMs: integer(
    'MAX_SESSION_LIFETIME_MS',
    'The longest life that a request can give a session',
    {
      default: 24 * 60 * minute,
      min: 1,
      max: 7 * 24 * 60 * minute,
    },
  ),
  // Of one application, that wait to be authorized; more are a 429.
  waitingSessions: 10_000,
  liveSessions: integer('MAX_LIVE_SESSIONS', 'Sessions of one tenant in all; more are a 429', {
    default: 20_000,
    min: 1,
    max: 10_000_000,
  }),
  // Of one tenant; it needs one, and a second one while it replaces that.
  clientKeys: 100,
  // Of what a client has encrypted, in characters: a token's data with what wraps it.
  encryptedLength: 1.5 * mebibyte,
  /** In characters (contract/limits.md#field-bounds). */
  searchQueryLength: 200,
  /** (contract/conventions.md#pagination) */
  pageSize,
  // Up to here each count is a new one; a larger one is kept for a while.
  countedAnew: 10_000,
  countKeptMs: 30_000,
  /** A list is counted up to here, and so far its pages have numbers (contract/conventions.md#pagination). */
  mostCounted: 1_000_000,
  // Of the rules of one session, in characters of JSON: they are kept in Redis.
  sessionRulesLength: 16_384,
  /** Of a session's permissions and rules. */
  access: derived(integers(accessLimitSettings), accessLimits),
};

export type Limits = SettingsOf<typeof limitSettings>;
