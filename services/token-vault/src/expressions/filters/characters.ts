const surrogate = /[\ud800-\udfff]/;

export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/** Splits a text into characters; a surrogate pair is one. */
export function charactersOf(text: string): string[] {
  return hasSurrogates(text) ? Array.from(text) : text.split('');
}
