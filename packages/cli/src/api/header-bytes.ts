/** Headers hold bytes: one character for each byte of UTF-8. */
export function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
