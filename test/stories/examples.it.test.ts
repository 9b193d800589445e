import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { operationsOf } from '../harness/public-operations.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** Those that speak of what only exists in the description: another resource, or a session. */
const speakOfOthers = new Set(['createReactor', 'detokenize', 'authorizeSession']);

/** Those that can be made from their example alone. */
const resources = ['/tokens', '/proxies', '/reactor-formulas', '/applications', '/webhooks', '/keys'];

/** What the description shows to whoever reads it. */
describe('the examples of the description', () => {
  let system: System;
  before(async () => {
    system = await sharedSystem();
  });

  const operations = operationsOf(readOpenApiDocument());
  const documented = operations.filter(
    ({ method, path }) => method === 'post' && !path.includes('{') && path !== '/proxy',
  );
  for (const { path, operation, isOfGateway, permission } of documented) {
    const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
    if (type === undefined || speakOfOthers.has(operation.operationId)) continue;
    it(`are accepted: ${operation.operationId}`, async () => {
      const { private_api_key: own, management_api_key: management } = system.dev;
      const api = apiOf(system);
      const answer = await api.send('POST', path, {
        key: isOfGateway && !permission.startsWith('keys:') ? own : management,
        headers: { 'Content-Type': type },
        body: content?.example,
      });
      expect(answer.status, answer.text).to.be.within(200, 299);
      const { id } = (answer.json ?? {}) as Json;
      if (answer.status === 201 && !isOfGateway) await api.manage('DELETE', `${path}/${id}`);
    });
  }

  for (const path of resources) {
    it(`make a resource, read, change and delete it: ${path}`, async () => {
      const { private_api_key: own, management_api_key: management } = system.dev;
      const api = apiOf(system);
      let id = '';
      for (const [method, address] of [
        ['post', path],
        ['get', path],
        ['get', `${path}/{id}`],
        ['put', `${path}/{id}`],
        ['patch', `${path}/{id}`],
        ['delete', `${path}/{id}`],
      ] as const) {
        const described = operations.find((one) => one.method === method && one.path === address);
        if (described === undefined) continue;
        const { operation, permission } = described;
        const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
        const answer = await api.send(method.toUpperCase(), address.replace('{id}', id), {
          key: permission.startsWith('token:') ? own : management,
          ...(type === undefined ? {} : { headers: { 'Content-Type': type }, body: content?.example }),
        });
        expect(answer.status, `${operation.operationId}: ${answer.text}`).to.be.within(200, 299);
        if (method === 'post') ({ id } = answer.json as { id: string });
      }
    });
  }
});
