import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Random } from '../report/random.ts';

/** Content of a request, with what its headers say of it. */
export interface Content {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** How it came to be. */
  readonly what: string;
}

export const mostBytes = 10_240;
const room = 9_600;

const fill = (text: string, length = room) =>
  text.repeat(Math.max(1, Math.floor(length / Buffer.byteLength(text))));
const nested = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const listOf = (of: (at: number) => unknown) => {
  const list: unknown[] = [];
  for (let length = 2; length < room; length += JSON.stringify(list.at(-1)).length + 1)
    list.push(of(list.length));
  return list.slice(0, -1);
};

/** Values that take long to read, check, compile, search or store, for their size. @param id of a token */
export const dearValues = (id: string): Readonly<Record<string, unknown>> => ({
  'a long text': fill('x'),
  'a text of two units a character': fill('😀'),
  'a text that folds into more': fill('İ'),
  'a text of control characters': fill('\u0001', room / 6),
  'a text of digits': fill('4'),
  'a text that backtracks': `${fill('a')}!`,
  'a text of e-mail addresses': fill('a@a.'),
  'a URL of dots': `https://${fill('a.')}example.com/`,
  'a URL to be unescaped': `https://example.com/${fill('%41')}`,
  'a text of opening braces': fill('{{'),
  'a text of one expression many times': fill(`{{${id}}}`),
  'a text of many expressions': listOf((at) => `{{ ${id} | append: 'a${at}' }}`).join(''),
  'expressions that differ': listOf((at) => `{{ ${id} | json: '$..a${at}' | default: ${at} }}`),
  'a long chain of filters': `{{ data ${fill("| append: 'aaaaaaaa' ", 900)} }}`,
  'a mask of many expressions': listOf(() => '{{ data | upcase }}').join(''),
  'a path of filters': `{{ ${id} | json: '$[?${nested('(', ')', 400)}==1]' }}`,
  'nested lists': JSON.parse(nested('[', ']', 500)) as unknown,
  'nested objects': JSON.parse(nested('{"a":', '}', 400)) as unknown,
  'many members': Object.fromEntries(listOf((at) => `n${at}`).map((name) => [name, 1])),
  'many numbers': listOf((at) => at * 7919),
  'many fractions': listOf((at) => at / 7),
  'many nulls': listOf(() => null),
  'many objects': listOf(() => ({ a: 1 })),
  'many unknown words': listOf((at) => `token:${at}`),
  'many rules': listOf((at) => ({
    description: 'a',
    priority: at + 1,
    container: `/${'a/'.repeat(9)}`,
    transform: 'mask',
    permissions: ['token:read'],
  })),
  'many hosts': listOf((at) => `*.a${at}.example.com`),
  'code of many statements': `module.exports = () => {${fill('a=b;')}}`,
  'code of many functions': `module.exports = () => [${fill('()=>0,')}]`,
  'code that nests': `module.exports = () => ${nested('(', ')', 1500)}`,
  'code of one long pattern': `module.exports = () => /${fill('(a|b)*')}/`,
  'code that is no code': fill('`${'),
});

/** Bodies of other kinds, for routes that take any. */
export function foreignContents(id: string): Content[] {
  const of = (
    what: string,
    type: string,
    body: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Content => ({
    what,
    bytes: Buffer.from(body),
    headers: { 'Content-Type': type, ...more },
  });
  const big = Buffer.from(JSON.stringify(' '.repeat(9_800_000)));
  const expression = `{{${id}}}`;
  return [
    of('a form of expressions', 'application/x-www-form-urlencoded', fill(`a=${expression}&`)),
    of('a form of encoded braces', 'application/x-www-form-urlencoded', `a=${fill('%7b')}`),
    of(
      'parts of expressions',
      'multipart/form-data; boundary=x',
      `${fill(`--x\r\n\r\n${expression}\r\n`)}--x--`,
    ),
    of(
      'parts without content',
      'multipart/form-data; boundary=x',
      `${fill('--x\r\n\r\n\r\n')}${expression}--x--`,
    ),
    of('text of expressions', 'text/plain', fill(expression)),
    of('text of braces', 'text/plain', fill('{{')),
    of('JSON in UTF-16', 'application/json; charset=utf-16', Buffer.from(fill('[1,', 4000), 'utf16le')),
    of('JSON that is broken at its end', 'application/json', `[${fill('"\\u007b",')}`),
    of('JSON of repeated names', 'application/json', `{${fill('"a":1,')}"a":1}`),
    of('gzip of much', 'application/json', gzipSync(big), { 'Content-Encoding': 'gzip' }),
    of('brotli of much', 'application/json', brotliCompressSync(big), { 'Content-Encoding': 'br' }),
    of('gzip twice', 'application/json', gzipSync(gzipSync(big)), { 'Content-Encoding': 'gzip, gzip' }),
  ];
}

/** Another content that is like this one: a part of it made dearer, more of it, or less. */
export function mutate({ bytes, headers, what }: Content, id: string, random: Random): Content {
  const text = bytes.toString();
  const parsed = parse(text);
  if (parsed !== undefined && random.next() < 0.7) {
    const [name, value] = random.pick(Object.entries(dearValues(id)));
    const changed = replaceSomewhere(parsed, value, random);
    return fitting({ bytes: Buffer.from(JSON.stringify(changed)), headers, what: `${what}, ${name}` }, text);
  }
  const [from, length] = [random.below(text.length + 1), 1 + random.below(60)];
  const slice = text.slice(from, from + length);
  const more = slice.repeat(Math.floor(Math.max(0, room - text.length) / Math.max(1, slice.length)));
  return fitting(
    {
      bytes: Buffer.from(text.slice(0, from) + more + text.slice(from)),
      headers,
      what: `${what}, a part repeated`,
    },
    text,
  );
}

function fitting(content: Content, otherwise: string): Content {
  return content.bytes.length <= mostBytes ? content : { ...content, bytes: Buffer.from(otherwise) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy with one of its values, at any depth, replaced, or with one more member. */
function replaceSomewhere(value: unknown, by: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.next() < 0.15) return by;
  if (Array.isArray(value)) {
    if (value.length === 0) return [by];
    const at = random.below(value.length);
    return value.with(at, replaceSomewhere(value[at], by, random));
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { a: by };
  const [name, inner] = random.pick(entries);
  return { ...value, [name]: replaceSomewhere(inner, by, random) };
}
