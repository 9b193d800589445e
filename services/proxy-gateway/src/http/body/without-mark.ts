/** What follows the mark that .NET and some browsers begin a text with, and that JSON may go without (RFC 8259, 8.1). */
export function withoutMark(text: Buffer): Buffer {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}
