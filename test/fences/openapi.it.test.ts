import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { readOpenApiDocument } from '@glovebox/openapi/document';
import { renderOpenApiDocument } from '@glovebox/openapi/render';
import { renderKnownNames } from '@glovebox/openapi/render-known-names';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { parse } from 'yaml';

import { createRouter } from '../../services/proxy-gateway/src/http/router.ts';
import { addresses } from '../../services/proxy-gateway/src/routes.ts';
import { controlOperations, operationsOf } from '../harness/public-operations.ts';

const page = join(checkout, 'docs/openapi.yaml');
const again = 'run `node --conditions=source packages/openapi/src/render-main.ts`';

describe('the description of the API', () => {
  const document = readOpenApiDocument();
  const documented = operationsOf(document);
  const ofGateway = documented.filter(({ isOfGateway }) => isOfGateway);
  const ofControl = documented.filter(({ isOfGateway }) => !isOfGateway);

  it('is what docs/openapi.yaml shows', () => {
    const kept = readFileSync(page, 'utf8');
    expect(kept === renderOpenApiDocument(), again).to.equal(true);
    expect(parse(kept)).to.deep.equal(document);
  });

  it('is where the names come from that requests may use', () => {
    const kept = readFileSync(join(checkout, 'packages/openapi/src/gen/known-names.ts'), 'utf8');
    expect(kept === renderKnownNames(), again).to.equal(true);
  });

  it('has nothing that a linter complains about', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: renderOpenApiDocument(), absoluteRef: page, config });
    const told = problems.map(({ ruleId, message, location }) => {
      return `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`;
    });
    expect(told).to.deep.equal([]);
  });

  it('has every operation of control-api with the permission that it asks for, and no other', async () => {
    const described = ofControl.map(({ method, path, permission }) => `${method} ${path}: ${permission}`);
    expect(described.toSorted()).to.deep.equal(
      (await controlOperations())
        .map(({ method, path, permission }) => `${method} ${path}: ${permission}`)
        .toSorted(),
    );
  });

  it('has every address of the gateway, and none that there is not', () => {
    const described = new Set(ofGateway.map(({ path }) => path.replace('/proxy/{path}', '/proxy')));
    expect([...described].map(withoutNames).toSorted()).to.deep.equal(
      addresses.map(({ name }) => withoutNames(name)).toSorted(),
    );
  });

  it('says of each address of the gateway which methods it takes', () => {
    const wrong = ofGateway.flatMap(({ path }) => {
      const address = path.replaceAll(/\{\w+\}/g, '6f1c2b7e-3f43-4a86-9d39-0f6a3b1f0c11');
      const isDescribed = (method: string) =>
        ofGateway.some((operation) => operation.path === path && operation.method === method);
      return ['get', 'post', 'put', 'patch', 'delete']
        .filter((method) => isDescribed(method) !== isTaken(method.toUpperCase(), address, path))
        .map((method) => `${method} ${path}`);
    });
    expect(wrong).to.deep.equal([]);
  });
});

const findRoute = createRouter(addresses, {} as never);

/** Without a real exchange there is nothing to answer: what refuses a method is seen by the header that it sets first. */
function isTaken(method: string, address: string, path: string): boolean {
  const { name, handle } = findRoute(method, address);
  if (withoutNames(name) !== withoutNames(path.replace('/proxy/{path}', '/proxy'))) return false;
  let isRefused = false;
  const setHeader = (header: string) => {
    isRefused ||= header === 'Allow';
  };
  try {
    Promise.resolve(handle({ response: { setHeader } } as never)).catch(() => undefined);
  } catch {
    // There is no request to be handled.
  }
  return !isRefused;
}

function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
