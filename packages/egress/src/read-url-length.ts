/** Longest URL of a destination unless the operator says otherwise (section 1.10 of the field bounds: 1..400). */
export const defaultUrlLength = 400;

/** The part of a reader of settings that is needed here; `EnvReader` of packages/platform is one. */
export interface IntegerReader {
  integer(
    name: string,
    options: { readonly default: number; readonly min: number; readonly max: number },
  ): number;
}

/** `MAX_URL_LENGTH`, in characters: of what becomes a destination, a webhook or a callback. The same in all services. */
export function readUrlLength(reader: IntegerReader): number {
  return reader.integer('MAX_URL_LENGTH', { default: defaultUrlLength, min: 20, max: 2000 });
}
