const surrogate = /[\ud800-\udfff]/;

export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/** The characters of a text, a surrogate pair being one. */
export function charactersOf(text: string): string[] {
  return hasSurrogates(text) ? Array.from(text) : text.split('');
}
