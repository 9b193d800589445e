import type { apiOf } from '../../../test/harness/api.ts';

/** Ids of tokens whose data is as costly as a mebibyte can be, by what is in them. */
export interface Documents {
  readonly texts: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  /** Containers whose tokens this key lists, as masks or in plain, by what is in them. */
  readonly listed: Readonly<Record<string, string>>;
  readonly listingKey: string;
}

const size = 1_000_000;
const repeat = (text: string, length = size): string =>
  text.repeat(Math.floor(length / Buffer.byteLength(text)));
const list = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const texts: Readonly<Record<string, string>> = {
  letters: repeat('a'),
  spaces: repeat(' '),
  words: repeat('a '),
  tags: repeat('<a>'),
  'what is escaped': repeat('&'),
  'what folds into more': repeat('İ'),
  'two units a character': repeat('😀'),
  'sixty thousand letters': 'a'.repeat(60_000),
};

const values: Readonly<Record<string, unknown>> = {
  numbers: list(140_000, (at) => (at * 7919) % 100_003),
  fractions: list(50_000, (at) => at / 7),
  'short texts': list(110_000, (at) => String((at * 7919) % 100_003)),
  'objects alike': list(78_000, (at) => ({ a: at })),
  'objects that differ': list(70_000, (at) => ({ [at.toString(36)]: 1 })),
  'one object of many names': Object.fromEntries(list(62_000, (at) => [`n${at}`, at])),
  'lists in lists': list(7500, () => nested(62)),
};

interface Page {
  readonly count: number;
  readonly data: (at: number) => unknown;
  /** Absent: the page shows the plaintext. */
  readonly mask?: string;
}

const pages: Readonly<Record<string, Page>> = {
  'a hundred costly masks': {
    count: 100,
    data: (at) => `${repeat('<a>', 30_000)}${at}`,
    mask: '{{ data | strip_html | size }}',
  },
  'a hundred cheap masks of small objects': {
    count: 100,
    data: (at) => list(500, (nth) => ({ a: at * nth })),
    mask: '{{ data[0].a }}',
  },
  'the cheap mask of a large object': {
    count: 1,
    data: (at) => list(70_000, (nth) => ({ a: at * nth })),
    mask: '{{ data[0].a }}',
  },
  'as much plaintext as a page may hold': {
    count: 3,
    data: () => list(41_000, (at) => ({ [at.toString(36)]: 1 })),
  },
};

const listed: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pages).map(([name, { mask }], at) => [
    name,
    `/${mask === undefined ? 'revealed' : 'masked'}/${at}/`,
  ]),
);

export async function createDocuments(api: ReturnType<typeof apiOf>): Promise<Documents> {
  const store = async (all: Readonly<Record<string, unknown>>): Promise<Record<string, string>> => {
    const ids: Record<string, string> = {};
    for (const [name, data] of Object.entries(all)) {
      ids[name] = await api.token({
        type: 'token',
        data,
        mask: null,
        fingerprint_expression: '{{ data | size }}',
      });
    }
    return ids;
  };
  for (const [name, { count, data, mask = null }] of Object.entries(pages)) {
    const containers = [listed[name]!];
    for (let at = 0; at < count; at += 1)
      await api.token({
        type: 'token',
        data: data(at),
        mask,
        containers,
        fingerprint_expression: '{{ data | size }}',
      });
  }
  const application = await api.application({
    name: 'lists tokens',
    type: 'private',
    rules: Object.entries({ '/masked/': 'mask', '/revealed/': 'reveal' }).map(
      ([container, transform], at) => ({
        description: container,
        priority: at + 1,
        container,
        transform,
        permissions: ['token:read'],
      }),
    ),
  });
  return {
    texts: await store(texts),
    values: await store(values),
    listed,
    listingKey: String(application.key),
  };
}
