import { applied, bytesOf, decoding, folding, squeezing } from './redact-views.ts';
import { base64Of, encodedOf } from './spellings.ts';

/** The views in which each pattern is searched. */
export type PatternKind = 'plain' | 'squeezed' | 'base64';

export type Pattern = readonly [kind: PatternKind, text: string];

/** Every text that reveals a value. The patterns of a value's beginning are beginnings of its own patterns. */
export function patternsOf(value: string): Pattern[] {
  const plain = bytesOf(value);
  const once = applied(decoding, plain);
  const read = new Set([plain, once, applied(decoding, once)].map((text) => applied(folding, text)));
  const encoded = encodedOf(value);
  return [
    ...[...read].flatMap((text): Pattern[] => [
      ['plain', text],
      ['squeezed', applied(squeezing, text)],
    ]),
    ...encoded.map((bytes): Pattern => ['squeezed', bytes.toString('hex')]),
    ...encoded.flatMap(base64Of).map((text): Pattern => ['base64', text]),
  ];
}
