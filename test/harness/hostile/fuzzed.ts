import fc from 'fast-check';

import { type HostileCase, rightAnswers } from './cases.ts';

const seed = Number(process.env['HOSTILE_SEED'] ?? 14);
const tokens = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ':',
    ' ',
    '\t',
    ';',
    ',',
    '0\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 ',
  ],
  ...[
    'Content-Length: 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Connection: close\r\n',
    'Keep-Alive: timeout=1\r\n',
  ],
  ...['Connection: keep-alive\r\n', 'Upgrade: h2c\r\n', '\u0000', '\u007f', '\u00ff', '1', '999', '-'],
];

type Edit = readonly [kind: 'put' | 'cut' | 'swap' | 'repeat', at: number, length: number, text: string];

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('put', 'cut', 'swap', 'repeat'),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 1, max: 12 }),
  fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 6 })),
);

function edited(answer: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [kind, where, length, put]) => {
    const at = Math.floor(where * text.length);
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
    if (kind === 'put') return before + put + here + after;
    if (kind === 'cut') return before + after;
    return kind === 'swap' ? before + put + after : before + here + here + after;
  }, answer);
}

/** A right answer with a few mistakes. */
export const editedAnswer: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...rightAnswers), fc.array(edit, { minLength: 1, maxLength: 5 }))
  .map(([right, edits]) => edited(right.text, edits));

const fuzzedCase: fc.Arbitrary<HostileCase> = fc
  .record({
    right: fc.constantFrom(...rightAnswers),
    edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    afterwards: fc.constantFrom('end', 'reset'),
  })
  .map(({ right, edits, parts, afterwards }) => {
    const text = edited(right.text, edits);
    const cuts = [0, ...parts.map((part) => Math.floor(part * text.length)), text.length].sort(
      (a, b) => a - b,
    );
    const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
    const name = `fuzzed ${JSON.stringify(pieces)}, then ${afterwards}`;
    return {
      name,
      pieces: pieces.filter((piece) => piece !== ''),
      afterwards,
      endings: ['raw', 'error', 'cut'],
    };
  });

/** Right answers with a few mistakes: the same each time. HOSTILE_SEED makes others. */
export function fuzzedCases(count: number): HostileCase[] {
  return fc.sample(fuzzedCase, { numRuns: count, seed });
}
