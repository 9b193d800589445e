import { readOpenApiDocument } from '@glovebox/openapi/document';

import { sendExamples } from '../harness/examples/send-example.ts';
import { steps } from '../harness/examples/steps.ts';
import { type World, newWorld } from '../harness/examples/world.ts';
import { operationsOf } from '../harness/public-operations.ts';
import { sharedSystem } from '../harness/system.ts';

/** What the description shows is sent as one story, each resource made once, and answered as it shows. */
describe('the examples of the description', () => {
  let world: World;
  before(async () => {
    world = await newWorld(await sharedSystem());
  });
  after(() => world[Symbol.asyncDispose]());

  const operations = new Map(
    operationsOf(readOpenApiDocument()).map((one) => [one.operation.operationId, one]),
  );
  for (const [operationId, step] of Object.entries(steps)) {
    it(`are accepted, and answered as shown: ${operationId}`, async () => {
      await sendExamples(operations.get(operationId)!, step, world);
    });
  }
});
