/** Control characters, and those that turn the direction of text: a name must not steer the terminal that shows it. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others, safe to print: what steers a terminal is shown as `\u{1b}`. Line breaks and tabs are kept. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
