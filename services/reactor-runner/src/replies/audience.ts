import { KnownValues } from '@glovebox/platform/redaction/known-values';

/** Who reads the description of a failure. */
export interface Audience {
  /** Values that are redacted. */
  readonly known: KnownValues;
  /** Replaces the code's own words; undefined for readers who may see them. */
  readonly instead: string | undefined;
}

/** Readers of the invocation log, who may see everything. */
export const logReaders: Audience = { known: new KnownValues(), instead: undefined };

/** The caller that invoked the code. @param anonymous the caller has no API key */
export function audienceOf(
  known: KnownValues | undefined,
  anonymous: boolean,
  correlationId: string,
): Audience {
  return {
    known: known ?? logReaders.known,
    instead: anonymous
      ? `The code failed. Its owner finds the reason under the trace id ${correlationId}.`
      : undefined,
  };
}
