import { KnownValues } from '@glovebox/platform/redaction/known-values';

/** Who is told how code failed. */
export interface Audience {
  /** Struck out of everything that is told. */
  readonly known: KnownValues;
  /** What is told instead of the code's own words; undefined for who may read those. */
  readonly instead: string | undefined;
}

/** Who may read everything: those who read invocations. */
export const insiders: Audience = { known: new KnownValues(), instead: undefined };

/** Whoever invoked the code, with a key or without one. */
export function audienceOf(
  known: KnownValues | undefined,
  anonymous: boolean,
  correlationId: string,
): Audience {
  return {
    known: known ?? insiders.known,
    instead: anonymous
      ? `The code failed. Its owner finds the reason under the trace id ${correlationId}.`
      : undefined,
  };
}
