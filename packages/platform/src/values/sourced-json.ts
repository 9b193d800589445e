declare global {
  interface JSON {
    /** ECMAScript, not yet in TypeScript's library: a number that is written in the digits of this text. */
    rawJSON(text: string): object;
  }
}

/** JSON.parse with the source of each primitive value: ECMAScript, not yet in TypeScript's library. */
interface SourcedJson {
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}

export const sourcedJson = JSON as SourcedJson;
