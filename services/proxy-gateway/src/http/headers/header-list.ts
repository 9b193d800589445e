/** Flat lists of names and values, as headers stand on the wire. */
type HeaderList = readonly string[];

/** These describe the bytes of a body that came, not those of the body that goes out. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'host',
  'expect',
]);

/** @param names in lower case */
export function withoutHeaders(headers: HeaderList, names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string;
    if (!names.has(name.toLowerCase())) kept.push(name, headers[at + 1] as string);
  }
  return kept;
}

/** Of the first header with this name. @param name in lower case */
export function valueOf(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if ((headers[at] as string).toLowerCase() === name) return headers[at + 1];
  }
  return undefined;
}
