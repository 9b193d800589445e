import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';

import { steps } from '../harness/examples/steps.ts';
import { operationsOf } from '../harness/public-operations.ts';

describe('the examples of the description', () => {
  it('are sent by a test, those of every operation', () => {
    const described = operationsOf(readOpenApiDocument()).map(({ operation }) => operation.operationId);
    expect(Object.keys(steps).toSorted()).to.deep.equal(described.toSorted());
  });
});
