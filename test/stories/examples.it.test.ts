import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { operationsOf } from '../harness/public-operations.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** Those that speak of what only exists in the description: another resource, or a session. */
const speakOfOthers = new Set(['createReactor', 'detokenize', 'authorizeSession']);

/** What the description shows to whoever reads it. */
describe('the examples of the description', () => {
  let system: System;
  before(async () => {
    system = await sharedSystem();
  });

  const documented = operationsOf(readOpenApiDocument()).filter(
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
});
