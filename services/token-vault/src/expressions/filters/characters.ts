const surrogate = /[\ud800-\udfff]/;

/** The characters of a text, a surrogate pair being one. */
export function charactersOf(text: string): string[] {
  return surrogate.test(text) ? Array.from(text) : text.split('');
}
