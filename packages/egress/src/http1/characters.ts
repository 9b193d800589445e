export const [tab, lf, cr, space, colon] = [0x09, 0x0a, 0x0d, 0x20, 0x3a] as const;

/** 1 for the characters of a token: names of headers, methods (RFC 9110 section 5.6.2). */
export const tokenCharacters = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  tokenCharacters[character.charCodeAt(0)] = 1;
}

/** 1 for the characters of a header's value: visible ones, spaces, tabs, and those above ASCII (section 5.5). */
export const valueCharacters = new Uint8Array(256).fill(1, 0x20).fill(1, tab, tab + 1);
valueCharacters[0x7f] = 0;

export function isToken(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (tokenCharacters[text.charCodeAt(at)] !== 1) return false;
  }
  return text.length > 0;
}
