const linesAround = 2;
const maxLineLength = 200;
const lineEnds = /\r\n|[\n\r\u2028\u2029]/;

/**
 * The lines around a place in code: `> 3 | const a = b.c;`, and below it a mark under the column. A long line is cut after that.
 * @param line from 1
 * @param column from 1
 */
export function codeFrame(code: string, line: number, column: number): string {
  const lines = code.split(lineEnds);
  const first = Math.max(1, line - linesAround);
  const last = Math.min(lines.length, line + linesAround);
  const width = String(last).length;
  const shown: string[] = [];
  for (let at = first; at <= last; at += 1) {
    const text = (lines[at - 1] ?? '').slice(0, maxLineLength);
    shown.push(`${at === line ? '>' : ' '} ${String(at).padStart(width)} | ${text}`.trimEnd());
    const mark = at === line && column <= maxLineLength ? Math.max(0, column - 1) : undefined;
    if (mark !== undefined) shown.push(`  ${' '.repeat(width)} | ${indent(text, mark)}^`);
  }
  return shown.join('\n');
}

/** As wide as the text before the mark, tabs included. */
function indent(text: string, length: number): string {
  return text.slice(0, length).replace(/[^\t]/g, ' ').padEnd(length);
}
