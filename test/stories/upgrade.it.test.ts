import { checkout } from '@glovebox/local/places';
import { type ServiceName, serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { type Destination, startDestination } from '../harness/destination.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { until } from '../harness/until.ts';
import { type Estate, foundEstate } from '../harness/upgrade/estate.ts';
import { Installation } from '../harness/upgrade/installation.ts';
import { type PreviousTree, unpackPreviousTree } from '../harness/upgrade/previous-tree.ts';

/** The version before this one and this one side by side: a new process serves before the old one ends, which drains. */
describe('an upgrade from the previous version', function () {
  this.timeout(180_000);
  let stack: AsyncDisposableStack;
  let previous: PreviousTree;
  let installation: Installation;
  let destination: Destination;
  let estate: Estate;
  let load: SteadyLoad;

  before(async function () {
    stack = new AsyncDisposableStack();
    const found = unpackPreviousTree();
    if (typeof found === 'string') {
      process.stderr.write(`upgrades are not tested: ${found}\n`);
      this.skip();
    }
    previous = stack.use(found);
    installation = stack.use(await Installation.prepare());
    destination = stack.use(await startDestination());
    destination.answer = ({ body }, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    await Promise.all(serviceNames.map((service) => start(service)));
    const tenant = await installation.createTenant(previous.folder);
    estate = await foundEstate(installation.call, tenant, destination.url);
    load = new SteadyLoad({ kinds: estate.use }, { callers: 3, pauseMs: 50 });
    stack.defer(() => load.end());
    await load.goesOn(2);
  });
  after(() => stack.disposeAsync());

  const start = (service: ServiceName, tree = previous.folder) => installation.start(service, tree);

  /** Replaces the process of a service once the new one has got calls of the load beside it. */
  async function roll(service: ServiceName, tree: string): Promise<void> {
    const [old] = installation.instancesOf(service);
    const started = await start(service, tree);
    await until(`both versions of ${service} serve`, () => installation.hasServed(started));
    await load.goesOn(3);
    await installation.stop(old!);
    await load.goesOn(3);
    expectNoFailure();
  }

  /** Since it was asked last. */
  function expectNoFailure(): void {
    expect(load.failures.splice(0)).to.deep.equal([]);
  }

  async function expectAllToWork(): Promise<void> {
    for (const [what, works] of Object.entries(estate.stillWorks)) {
      await works().catch((cause: unknown) => expect.fail(`${what}: ${String(cause)}`));
    }
  }

  it('brings both databases up to date while the old services serve', async () => {
    for (const service of ['control-api', 'token-vault'] as const) {
      await installation.program(checkout, service, 'migrate-main');
      await load.goesOn(2);
    }
    expectNoFailure();
  });

  // Readers become ready once a control-api of their version has signed what is published (ADR 56).
  for (const service of ['control-api', 'token-vault', 'reactor-runner', 'proxy-gateway'] as const) {
    it(`replaces the ${service}s, and no request fails`, () => roll(service, checkout));
  }

  it('keeps all that was there before', expectAllToWork);

  it('can be taken back, one service alone', async () => {
    await roll('token-vault', previous.folder);
    await expectAllToWork();
  });
});
