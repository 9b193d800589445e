import { readOpenApiDocument } from '@glovebox/openapi/document';
import type { Schema } from '@glovebox/openapi/openapi-document';
import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { apiOf, send } from '../harness/api.ts';
import { type Estate, foundEstate } from '../harness/estate.ts';
import { type PublicOperation, operationsOf } from '../harness/public-operations.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const document = readOpenApiDocument();
const oddValues: readonly unknown[] = [null, '', 0, [], { a: null }];
/** The example speaks of a token that there is not. */
const ownBodies: Readonly<Record<string, object>> = { react: { args: {} } };

/** Each property of each body with each odd value; the sender checks that every accepted one is described. */
describe('an odd value of one property of a body', () => {
  let system: System;
  let estate: Estate;
  before(async () => {
    const shared = await sharedSystem();
    const other = await anotherTenant(shared, 'odd values');
    const everything = ['create', 'read', 'update', 'search', 'delete', 'use'].map((one) => `token:${one}`);
    const body = { name: 'all', type: 'private', permissions: everything };
    const key = other.management_api_key;
    const made = await send(shared.dev.base_url, 'POST', '/applications', { key, body });
    system = { ...shared, dev: { ...shared.dev, ...other, private_api_key: made.json.key } };
    estate = await foundEstate(system);
  });

  for (const one of operationsOf(document)) {
    const [content] = Object.values(one.operation.requestBody?.content ?? {});
    const properties = content === undefined ? [] : propertiesOf(content.schema);
    if (properties.length === 0) continue;
    it(`is taken as it is described, or refused by its name: ${one.operation.operationId}`, async () => {
      const api = apiOf(system);
      const { target, headers, body: example } = estate.request(one);
      const body = ownBodies[one.operation.operationId] ?? (example as object);
      for (const property of properties) {
        for (const value of oddValues) {
          const sent = { ...body, [property]: value };
          const answer = await api.send(one.method.toUpperCase(), target, {
            key: keyFor(one),
            headers,
            body: sent,
          });
          expect(answer.status, `${property}: ${JSON.stringify(value)} ${answer.text}`).to.be.below(500);
          if (answer.status === 400) expect(answer.json.errors, answer.text).to.not.deep.equal({});
        }
      }
    });
  }

  const keyFor = ({ isOfGateway, permission }: PublicOperation) =>
    isOfGateway && !permission.startsWith('keys:')
      ? system.dev.private_api_key
      : system.dev.management_api_key;
});

function propertiesOf(schema: Schema): readonly string[] {
  const { $ref, properties, allOf, anyOf, oneOf } = schema as Record<string, Schema | string | undefined>;
  if (typeof $ref === 'string') {
    return propertiesOf(document.components.schemas[$ref.split('/').at(-1) as string] as Schema);
  }
  const parts = [allOf, anyOf, oneOf].flatMap((some) => (some ?? []) as unknown as readonly Schema[]);
  return [...new Set([...Object.keys(properties ?? {}), ...parts.flatMap(propertiesOf)])];
}
