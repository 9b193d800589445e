import {
  type Table,
  model,
  wireModel,
  ofToken,
  tokenPage,
  plain,
  plainPage,
  raw,
  nothing,
  rules,
  merge,
} from './call-values.ts';

/** The rows of the call table that are about tokens and their use (contract/clients.md#call-table). */
export const dataCalls: Table = {
  tokens: {
    create: { call: (c) => c.tokens.create(model), is: 'POST /tokens/', sent: wireModel, ...ofToken },
    retrieve: { call: (c) => c.tokens.retrieve('i/d @1'), is: 'GET /tokens/i%2Fd%20%401', ...ofToken },
    update: {
      call: (c) => c.tokens.update('i', { data: { aB: null }, searchIndexes: [] }),
      is: 'PATCH /tokens/i',
      sent: { data: { aB: null }, search_indexes: [] },
      type: merge,
      ...ofToken,
    },
    delete: { call: (c) => c.tokens.delete('i'), is: 'DELETE /tokens/i', ...nothing },
    list: {
      call: (c) =>
        c.tokens.list({ id: ['a', 'b'], type: 'card', metadata: { userId: '5&' }, page: 2, size: 5 }),
      is: 'GET /tokens/?id=a&id=b&type=card&metadata.userId=5%26&page=2&size=5',
      ...tokenPage,
    },
    'list of all': { call: (c) => c.tokens.list(), is: 'GET /tokens/', ...tokenPage },
    search: {
      call: (c) => c.tokens.search({ query: 'data:x', page: 1, size: 2 }),
      is: 'POST /tokens/search',
      sent: { query: 'data:x', page: 1, size: 2 },
      ...tokenPage,
    },
    createAssociation: {
      call: (c) => c.tokens.createAssociation('p', 'c'),
      is: 'POST /tokens/p/children/c',
      sent: {},
      ...nothing,
    },
    deleteAssociation: {
      call: (c) => c.tokens.deleteAssociation('p', 'c'),
      is: 'DELETE /tokens/p/children/c',
      ...nothing,
    },
    createChild: {
      call: (c) => c.tokens.createChild('p', model),
      is: 'POST /tokens/p/children',
      sent: wireModel,
      ...ofToken,
    },
    listChildren: {
      call: (c) => c.tokens.listChildren('p', { type: 'a' }),
      is: 'GET /tokens/p/children?type=a',
      ...tokenPage,
    },
  },
  tokenize: {
    'of an object': {
      call: (c) => c.tokenize({ type: 'token', data: 1, searchIndexes: [], search_indexes: [] }),
      is: 'POST /tokenize/',
      sent: { type: 'token', data: 1, searchIndexes: [], search_indexes: [] },
      ...raw,
    },
    'of text': { call: (c) => c.tokenize('abc'), is: 'POST /tokenize/', sent: 'abc', ...raw },
  },
  detokenize: {
    'of an object': {
      call: (c) => c.detokenize({ someKey: '{{ a }}' }),
      is: 'POST /detokenize',
      sent: { someKey: '{{ a }}' },
      ...raw,
    },
  },
  keys: {
    create: {
      call: (c) => c.keys.create({ encoding: 'PEM', expiresAt: '2090-01-01' }),
      is: 'POST /keys',
      sent: { encoding: 'PEM', expires_at: '2090-01-01' },
      ...plain,
    },
    list: { call: (c) => c.keys.list({ page: 2 }), is: 'GET /keys?page=2', ...plainPage },
    retrieve: { call: (c) => c.keys.retrieve('k'), is: 'GET /keys/k', ...plain },
    delete: { call: (c) => c.keys.delete('k'), is: 'DELETE /keys/k', ...nothing },
  },
  proxy: {
    get: { call: (c) => c.proxy.get(), is: 'GET /proxy/', ...raw },
    delete: { call: (c) => c.proxy.delete(), is: 'DELETE /proxy/', ...raw },
    post: {
      call: (c) => c.proxy.post({ body: { someKey: 1 } }),
      is: 'POST /proxy',
      sent: { someKey: 1 },
      ...raw,
    },
    put: { call: (c) => c.proxy.put({ body: { a: 1 } }), is: 'PUT /proxy', sent: { a: 1 }, ...raw },
    patch: {
      call: (c) => c.proxy.patch({ body: { a: 1 } }),
      is: 'PATCH /proxy',
      sent: { a: 1 },
      type: 'application/json',
      ...raw,
    },
    'post without a body': { call: (c) => c.proxy.post(), is: 'POST /proxy', ...raw },
    'a path with a slash, a query as it is': {
      call: (c) => c.proxy.get({ path: '/a/b?c', query: { 'bt-proxy-key': 'k', aB: ['1', '2'] } }),
      is: 'GET /proxy/a/b%3Fc?bt-proxy-key=k&aB=1&aB=2',
      ...raw,
    },
    'a path without': { call: (c) => c.proxy.put({ path: 'a/b' }), is: 'PUT /proxy/a/b', ...raw },
    'post of text': {
      call: (c) => c.proxy.post({ body: 'a=1&b=2' }),
      is: 'POST /proxy',
      sent: 'a=1&b=2',
      type: 'application/x-www-form-urlencoded',
      ...raw,
    },
    'post of text of a type': {
      call: (c) => c.proxy.post({ body: '<a/>', headers: { 'content-type': 'text/xml' } }),
      is: 'POST /proxy',
      sent: '<a/>',
      type: 'text/xml',
      answers: 'no json',
      gives: 'no json',
    },
  },
  sessions: {
    create: { call: (c) => c.sessions.create(), is: 'POST /sessions/', ...plain },
    authorize: {
      call: (c) => c.sessions.authorize({ nonce: 'n', rules, expiresAt: 'e' }),
      is: 'POST /sessions/authorize',
      sent: { nonce: 'n', rules, expires_at: 'e' },
      ...nothing,
    },
  },
};
