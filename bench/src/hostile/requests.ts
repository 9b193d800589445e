import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Documents } from './documents.ts';
import { listFilters, paths, searches, textFilters, unread } from './expressions.ts';

/** One of at most 10 KB, with its headers. */
export interface HostileRequest {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Another one each time, so that nothing of it has been read before. */
  readonly body: () => Buffer;
}

const json = { 'Content-Type': 'application/json' };
const room = 9500;
let salt = 0;

/** @param only a regular expression for their groups and names */
export function hostileRequests(documents: Documents, only = ''): HostileRequest[] {
  const { texts, values, listingKey } = documents;
  const all: HostileRequest[] = [];
  const detokenize = (group: string, name: string, expression: () => string) => {
    all.push({
      group,
      name,
      method: 'POST',
      path: '/detokenize',
      headers: json,
      body: () => filled(expression),
    });
  };
  for (const [what, id] of Object.entries(texts)) {
    for (const filter of [...searches, ...textFilters]) {
      const group = searches.includes(filter) ? 'filters that search' : 'filters of text';
      detokenize(
        group,
        `${filter.slice(0, 40)} of ${what}`,
        () => `${id} | ${filter} | size | plus: ${next()}`,
      );
    }
  }
  for (const [what, id] of Object.entries(values)) {
    detokenize('whole values', what, () => `${' '.repeat(next() % 9)}${id}`);
    detokenize('whole tokens', what, () => `token: ${id} | json: '$.data' | default: ${next()}`);
    for (const filter of listFilters)
      detokenize(
        'filters of lists',
        `${filter} of ${what}`,
        () => `${id} | ${filter} | size | plus: ${next()}`,
      );
    for (const path of paths)
      detokenize(
        'JSONPath',
        `${path.slice(0, 40)} of ${what}`,
        () => `${id} | json: '${path}' | default: ${next()}`,
      );
  }
  const small = texts['sixty thousand letters'] ?? '';
  for (const expression of unread)
    detokenize(
      'expressions that are long to read',
      expression('').slice(0, 40),
      () => `${small} | ${expression(`s${next()}`)}`,
    );
  all.push(...ofProxies(small), ...ofBodies(small), ...encoded());
  for (const [name, container] of Object.entries(documents.listed)) {
    all.push({
      group: 'pages of tokens',
      name,
      method: 'GET',
      path: `/tokens?size=100&container=${encodeURIComponent(container)}`,
      headers: { 'SVC-API-KEY': listingKey },
      body: () => Buffer.alloc(0),
    });
  }
  const wanted = new RegExp(only);
  return all.filter(({ name, group }) => wanted.test(`${group}: ${name}`));
}

function next(): number {
  salt += 1;
  return salt;
}

/** JSON with as many expressions as 10 KB hold. */
function filled(expression: () => string, most = room): Buffer {
  const expressions: string[] = [];
  for (let length = 0; ;) {
    const text = JSON.stringify(`{{ ${expression()} }}`);
    length += text.length + 1;
    if (length > most || expressions.length === 999) break;
    expressions.push(text);
  }
  return Buffer.from(`[${expressions.join()}]`);
}

/** A pattern, or a path, out of a header. */
function ofProxies(id: string): HostileRequest[] {
  const headers: Readonly<Record<string, string>> = {
    pattern: `b${'a'.repeat(4000)}`,
    path: `$[?${'('.repeat(3000)}@.a${')'.repeat(3000)}]`.slice(0, 4000),
  };
  const uses = ['replace', 'replace_last', 'remove', 'split', 'json'];
  return uses.map((filter) => ({
    group: 'arguments out of a header',
    name: filter,
    method: 'POST',
    path: '/proxy',
    headers: { ...json, 'X-Long': (filter === 'json' ? headers['path'] : headers['pattern']) ?? '' },
    body: () => {
      const use = () => `${id} | ${filter}: proxy.request.headers.X-Long | size | plus: ${next()}`;
      // Names are bound where an expression begins with one.
      let bind: string | undefined = 'proxy.request.headers.X-Long | size';
      return filled(() => {
        const expression = bind ?? use();
        bind = undefined;
        return expression;
      }, 5000);
    },
  }));
}

/** What is searched for expressions, and filled. */
function ofBodies(id: string): HostileRequest[] {
  const repeat = (text: string) => text.repeat(Math.floor(room / text.length));
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
  ];
  const bodies: Readonly<Record<string, string>> = {
    braces: repeat('{{'),
    'escaped braces': `["${repeat('\\u007b')}"]`,
    'encoded braces': `a=${repeat('%7b')}`,
    arrays: `${'['.repeat(500)}"{{ ${id} }}"${']'.repeat(500)}`,
    objects: `${'{"a":'.repeat(500)}"{{ ${id} }}"${'}'.repeat(500)}`,
    'one value many times, alone': JSON.stringify(Array(220).fill(`{{${id}}}`)),
    'one value many times, among text': JSON.stringify(Array(200).fill(`x{{${id}}}x`).join('')),
    'one value many times, in a form': Array(200).fill(`a={{${id}}}`).join('&'),
    'one value many times, in parts': `${`--x\r\n\r\n{{${id}}}\r\n`.repeat(150)}--x--`,
    numbers: `[${repeat('1e400,')}1]`,
    quotes: `["{{a|${repeat(`'"`).replaceAll('"', '\\"')}`.slice(0, room),
  };
  return types.flatMap((type) =>
    Object.entries(bodies).map(([name, body]) => ({
      group: 'bodies that are searched and filled',
      name: `${name}, as ${type}`,
      method: 'POST',
      path: '/proxy',
      headers: { 'Content-Type': type },
      body: () => Buffer.from(body),
    })),
  );
}

function encoded(): HostileRequest[] {
  const content = Buffer.from(JSON.stringify(' '.repeat(9_800_000)));
  const codings = { gzip: gzipSync(content), br: brotliCompressSync(content) };
  return Object.entries(codings).map(([coding, body]) => ({
    group: 'content that becomes more',
    name: coding,
    method: 'POST',
    path: '/proxy',
    headers: { ...json, 'Content-Encoding': coding },
    body: () => body,
  }));
}
