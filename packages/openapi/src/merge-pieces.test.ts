import { expect } from 'chai';

import { mergePieces } from './merge-pieces.ts';
import { parsePiece } from './parse-piece.ts';

const operation = (more = '') => `
    get:
      operationId: one
      x-permission: any-key
      responses:
        '200': { description: fine, headers: { Own: {} } }
        '404': { $ref: '#/gone' }
${more}`;

describe('mergePieces', () => {
  const everywhere = parsePiece(
    'common.yaml',
    `x-every-operation: { parameters: [{ name: trace }], headers: { Trace: {} }, responses: { '401': { $ref: '#/no' } } }`,
  );

  it('puts the paths, components and tags of all pieces together', () => {
    const whole = mergePieces([
      parsePiece('a.yaml', 'tags: [a]\ncomponents: { schemas: { A: { type: string } } }\npaths: { /a: {} }'),
      parsePiece(
        'b.yaml',
        'tags: [b]\ncomponents: { schemas: { B: {} }, headers: { H: {} } }\npaths: { /b: {} }',
      ),
    ]);
    expect(whole).to.deep.equal({
      tags: ['a', 'b'],
      components: { schemas: { A: { type: 'string' }, B: {} }, headers: { H: {} } },
      paths: { '/a': {}, '/b': {} },
    });
  });

  it('refuses what two pieces say, and names the place', () => {
    const twice = () =>
      mergePieces([
        parsePiece('a.yaml', 'paths: { /a: { get: {} } }'),
        parsePiece('b.yaml', 'paths: { /a: { post: {} } }'),
      ]);
    expect(twice).to.throw('b.yaml: paths: /a is defined twice');
  });

  it('gives each operation what every operation has, and lets it say otherwise', () => {
    const { paths } = mergePieces([everywhere, parsePiece('a.yaml', `paths:\n  /a:${operation()}`)]);
    expect(paths['/a']?.get).to.deep.include({
      parameters: [{ name: 'trace' }],
      responses: {
        '200': { description: 'fine', headers: { Trace: {}, Own: {} } },
        '401': { $ref: '#/no' },
        '404': { $ref: '#/gone' },
      },
    });
  });

  it('gives those that take an idempotency key what belongs to it', () => {
    const keyed = parsePiece(
      'keyed.yaml',
      `x-every-keyed-operation: { parameters: [{ name: key }], headers: {}, responses: { '409': {} } }`,
    );
    const { paths } = mergePieces([
      keyed,
      parsePiece(
        'a.yaml',
        `paths: { /a: { get: { responses: {} }, post: { responses: {} }, put: { x-idempotency-key: ignored, responses: {} } } }`,
      ),
    ]);
    expect(paths['/a']?.post).to.have.nested.property('parameters[0].name', 'key');
    expect(paths['/a']?.post?.responses).to.have.all.keys('409');
    expect(paths['/a']?.get?.responses).to.be.empty;
    expect(paths['/a']?.put?.responses).to.be.empty;
  });

  it('leaves operations alone that ask for no key', () => {
    const open = parsePiece('a.yaml', `paths:\n  /a:${operation('      security: []')}`);
    const { paths } = mergePieces([everywhere, open]);
    expect(paths['/a']?.get).to.not.have.property('parameters');
    expect(paths['/a']?.get?.responses).to.have.all.keys('200', '404');
  });
});
