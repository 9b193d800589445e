export const text = (length: number) => 'x'.repeat(length);
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
const rule = (priority: number) => ({
  priority,
  container: '/',
  transform: 'mask',
  permissions: ['token:read'],
});
const proxy = { name: 'p', destination_url: 'https://example.com' };
const token = { type: 'token', data: 'x' };

/** The longest or the most that is taken, and one more with what is said of it. */
export const limitsOfBodies: readonly [
  what: string,
  request: string,
  make: (size: number) => unknown,
  most: number,
  problem: string,
][] = [
  [
    'a name',
    'POST /proxies',
    (length) => ({ ...proxy, name: text(length) }),
    200,
    'name: must be at most 200 characters long',
  ],
  [
    'the name of an entry of a configuration',
    'POST /proxies',
    (length) => ({ ...proxy, configuration: { [text(length)]: 'x' } }),
    200,
    `configuration.${text(60)}: must have a name of at most 200 characters`,
  ],
  [
    'a timeout',
    'POST /proxies',
    (seconds) => ({ ...proxy, timeout: seconds }),
    45,
    'timeout: must be at most 45',
  ],
  [
    'a destination',
    'POST /proxies',
    (length) => ({ ...proxy, destination_url: `https://example.com/${text(length - 20)}` }),
    60,
    'destination_url: must be 1 to 60 characters long',
  ],
  [
    'rules',
    'POST /applications',
    (count) => ({
      name: 'a',
      type: 'private',
      rules: Array.from({ length: count }, (_, at) => rule(at + 1)),
    }),
    2,
    'rules: must hold at most 2 rules',
  ],
  [
    'the id of a token',
    'POST /tokens',
    (length) => ({ ...token, id: text(length) }),
    401,
    'id: must have 3 to 401 characters',
  ],
  [
    'the container of a token',
    'POST /tokens',
    (length) => ({ ...token, containers: [`/${text(length - 2)}/`] }),
    410,
    'containers[0]: must be a path such as /pci/high/: letters, digits, - and _ between single slashes, at most 410 characters',
  ],
  [
    'the nesting of data',
    'POST /tokens',
    (levels) => ({ ...token, data: nested(levels) }),
    65,
    'data: must not be nested deeper than 65 levels',
  ],
  [
    'the nesting of a mask',
    'POST /tokens',
    (levels) => ({ ...token, mask: nested(levels) }),
    32,
    'mask: must not be nested deeper than 32 levels',
  ],
  [
    'the nesting of a body to the vault',
    'POST /tokens',
    (levels) => ({ ...token, ignored: nested(levels - 1) }),
    100,
    'The body may be nested at most 100 levels deep.',
  ],
  [
    'the nesting of a body to the management API',
    'POST /proxies',
    (levels) => ({ ...proxy, ignored: nested(levels - 1) }),
    100,
    'The request body may be nested at most 100 levels deep.',
  ],
  [
    'the filters of an expression in an id',
    'POST /tokens',
    (count) => ({ ...token, id: `{{ data | pad_left: 9, "0"${' | strip'.repeat(count - 1)} }}-${count}` }),
    17,
    'id: An expression may have at most 17 filters.',
  ],
  [
    'a search',
    'POST /tokens/search',
    (length) => ({ query: 'type:token'.padEnd(length) }),
    200,
    'query: must not be longer than 200 characters',
  ],
  [
    'the nesting of a body with expressions',
    'POST /detokenize',
    (levels) => nested(levels),
    512,
    'The JSON is nested more than 512 levels deep (at byte 512 of the body)',
  ],
];
