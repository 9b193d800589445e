import { expressionBounds, expressionLimitSettings } from '@glovebox/expressions/limits';
import { integer, integers } from '@glovebox/platform/settings/builders';
import { maxCallsInFlight, pageSize, vaultTimeout } from '@glovebox/platform/settings/common-settings';
import { derived } from '@glovebox/platform/settings/setting';

const maxHeaderBytes = integer(
  'MAX_HEADER_BYTES',
  'Headers of one request; more is a 431. Headers that code returns; more is a 500. One header with the values of its expressions in it',
  { default: 32_768, min: 4096, max: 1_048_576 },
);

/** How much of everything a request may have, and all requests together. */
export const limitSettings = derived(
  {
    maxSearchedBytes: integer(
      'MAX_SEARCHED_BYTES',
      'Bodies up to this size are read whole and searched for expressions; a larger one that holds any is a 413',
      { default: 10_485_760, min: 1024, max: 104_857_600 },
    ),
    maxFilledBytes: integer(
      'MAX_FILLED_BYTES',
      'A body with the values of its expressions in it; more is a 413',
      { default: 33_554_432, min: 1024, max: 268_435_456 },
    ),
    maxHeldBytes: integer(
      'MAX_HELD_BYTES',
      'All bodies in memory at once, as received, decoded and filled, beyond 64 KiB of each; more are a 503, and more than half of it for one tenant a 429. The process needs three times as much memory',
      { default: 268_435_456, min: 4096, max: 8_589_934_592 },
    ),
    maxHeaderBytes,
    maxTokenBodyBytes: integer(
      'MAX_TOKEN_BODY_BYTES',
      'A request to `/tokens`, `/tokenize`, `/detokenize`, `/token-intents`, `/keys` or `/sessions`; more is a 413',
      { default: 2_097_152, min: 1024, max: 8_388_608 },
    ),
    maxTransformedBytes: integer(
      'MAX_TRANSFORMED_BYTES',
      'A body that a transform takes; more is a 413, of a response a 502',
      { default: 1_048_576, min: 1024, max: 4_194_304 },
    ),
    maxReactBytes: integer('MAX_REACT_BODY_BYTES', 'A request to `/reactors/{id}/react`; more is a 413', {
      default: 1_048_576,
      min: 1024,
      max: 4_194_304,
    }),
    vaultTimeoutMs: vaultTimeout,
    runnerTimeoutMs: integer(
      'RUNNER_TIMEOUT_MS',
      'How long to wait for the result of code; then 503. Set it above the runner’s `MAX_RUN_MS`, so that the runner reports why there is no result',
      { default: 35_000, min: 10, max: 660_000 },
    ),
    maxCallsInFlight,
    bounds: {
      expressions: { ...integers(expressionLimitSettings), ...expressionBounds },
      headerBytes: maxHeaderBytes,
      decodedRatio: integer(
        'MAX_DECODED_RATIO',
        'How many times as large a body may become when its Content-Encoding is undone, beyond 64 KiB; more is a 413, of a response that a transform takes a 502. Ordinary JSON becomes 5 to 20 times as large; a few bytes can decode to megabytes',
        { default: 100, min: 1, max: 10_000 },
      ),
      pageSize,
    },
  },
  (read, problem) => {
    // One tenant has half of it, and a request may hold a body both as it came and filled.
    if (read.maxHeldBytes / 2 < read.maxSearchedBytes + read.maxFilledBytes)
      problem('MAX_HELD_BYTES must be at least twice as much as MAX_SEARCHED_BYTES and MAX_FILLED_BYTES');
    return read;
  },
);
