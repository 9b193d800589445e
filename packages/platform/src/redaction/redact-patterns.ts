import { applied, bytesOf, decoding, folding, squeezing } from './redact-views.ts';

/** The views in which each pattern is searched. */
export type PatternKind = 'plain' | 'squeezed' | 'base64';

export type Pattern = readonly [kind: PatternKind, text: string];

/** Every text that reveals a value. The patterns of a value's beginning are beginnings of its own patterns. */
export function patternsOf(value: string): Pattern[] {
  const plain = bytesOf(value);
  const once = applied(decoding, plain);
  const read = new Set([plain, once, applied(decoding, once)].map((text) => applied(folding, text)));
  const encoded = encodedOf(value, plain);
  return [
    ...[...read].flatMap((text): Pattern[] => [
      ['plain', text],
      ['squeezed', applied(squeezing, text)],
    ]),
    ...encoded.map((bytes): Pattern => ['squeezed', bytes.toString('hex')]),
    ...encoded.flatMap((bytes) => [0, 1, 2].map((offset): Pattern => ['base64', base64At(bytes, offset)])),
  ];
}

/** The bytes that encodings of bytes work on: the value in UTF-8 or ISO 8859-1, alone or within JSON. */
function encodedOf(value: string, plain: string): Buffer[] {
  const texts = new Set([plain, bytesOf(JSON.stringify(value).slice(1, -1))]);
  if (/^[\0-\xff]*$/.test(value)) texts.add(value);
  return [...texts].map((text) => Buffer.from(text, 'latin1'));
}

/** The base64 of these bytes alone, after so many others in their group of three. */
function base64At(bytes: Buffer, offset: number): string {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return all.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
}
