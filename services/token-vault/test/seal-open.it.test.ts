import { randomUUID } from 'node:crypto';

import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type SealedPlace, VaultServiceService as methods } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Publisher } from './harness/published.ts';
import { type Ground, type TestVault, prepareGround, startVault } from './harness/vault.ts';

describe('sealing configuration values', () => {
  let publisher: Publisher;
  let ground: Ground;
  let vault: TestVault;
  let control: GrpcChannel;
  const place: SealedPlace = {
    tenantId: randomUUID(),
    recordId: randomUUID(),
    field: 'configuration.API_KEY',
  };

  before(async () => {
    publisher = await Publisher.start();
    ground = await prepareGround(publisher.prefix);
    vault = await startVault(ground);
    control = vault.as('control-api');
  });
  after(async () => {
    await vault[Symbol.asyncDispose]();
    await ground[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const options = () => ({ deadline: Date.now() + 10_000 });
  const seal = async (text: string, at: SealedPlace = place) => {
    const items = [{ place: at, plaintext: Buffer.from(text) }];
    const { sealed } = await control.unary(methods.seal, { items }, options());
    return sealed[0] as Buffer;
  };
  const open = async (sealed: Buffer, at: SealedPlace | undefined = place) => {
    const { plaintexts } = await control.unary(methods.open, { items: [{ place: at, sealed }] }, options());
    return String(plaintexts[0]);
  };

  it('opens what it sealed, in its place', async () => {
    const sealed = await seal('hunter2');
    expect(sealed.includes('hunter2')).to.equal(false);
    expect(await open(sealed)).to.equal('hunter2');
  });

  it('seals and opens many values in one request, in order', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => `value ${i}`);
    const placeOf = (i: number) => ({ ...place, field: `configuration.K${i}` });
    const items = texts.map((text, i) => ({ place: placeOf(i), plaintext: Buffer.from(text) }));
    const { sealed } = await control.unary(methods.seal, { items }, options());
    const opened = await control.unary(
      methods.open,
      { items: sealed.map((bytes, i) => ({ place: placeOf(i), sealed: bytes })) },
      options(),
    );
    expect(opened.plaintexts.map(String)).to.deep.equal(texts);
  });

  for (const [change, other] of Object.entries({
    tenant: { ...place, tenantId: randomUUID() },
    record: { ...place, recordId: randomUUID() },
    field: { ...place, field: 'configuration.OTHER' },
  })) {
    it(`refuses to open in another ${change}, with the one error that says no more`, async () => {
      const failure = await failureOf(open(await seal('x'), other));
      expect(failure).to.include({
        code: 'integrity_violation',
        message: 'Stored data does not authenticate, so it is not used.',
      });
    });
  }

  it('refuses what was cut, changed or never sealed with the same error', async () => {
    const sealed = await seal('x');
    const flipped = Buffer.from(sealed);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    for (const bytes of [
      Buffer.alloc(0),
      sealed.subarray(0, -1),
      flipped,
      Buffer.from('plain text, long enough'),
    ]) {
      const failure = await failureOf(open(bytes));
      expect(failure).to.include({
        code: 'integrity_violation',
        message: 'Stored data does not authenticate, so it is not used.',
      });
    }
  });

  it('names what is wrong with a place', async () => {
    const failure = await failureOf(seal('x', { tenantId: 'nobody', recordId: '', field: '' }));
    expect(failure.code).to.equal('invalid_argument');
    expect(Object.keys(failure.errors)).to.deep.equal([
      'items[0].place.tenant_id',
      'items[0].place.record_id',
      'items[0].place.field',
    ]);
  });

  it('lets each service seal and open only what the tables name: logs and jobs are not for the control plane', async () => {
    const log: SealedPlace = { ...place, field: 'log.4b1c' };
    const job: SealedPlace = { ...place, field: 'job.4b1c.result' };
    const answer: SealedPlace = { ...place, field: 'answer.management' };
    const proxyKey: SealedPlace = { ...place, field: 'key' };
    const webhookSecret: SealedPlace = { ...place, field: 'secret.1' };
    const destinationKey: SealedPlace = { ...place, field: 'destination_tls.client_key' };
    const controls = new Set([place, answer, proxyKey, webhookSecret, destinationKey]);
    const succeeds = (work: Promise<unknown>) =>
      work.then(
        () => true,
        () => false,
      );
    const may = async (peer: 'control-api' | 'reactor-runner' | 'proxy-gateway', at: SealedPlace) => {
      const keeper = vault.as(controls.has(at) ? 'control-api' : 'reactor-runner');
      const items = [{ place: at, plaintext: Buffer.from('x') }];
      const { sealed } = await keeper.unary(methods.seal, { items }, options());
      const channel = vault.as(peer);
      const opening = { items: [{ place: at, sealed: sealed[0] as Buffer }] };
      return {
        seal: await succeeds(channel.unary(methods.seal, { items }, options())),
        open: await succeeds(channel.unary(methods.open, opening, options())),
      };
    };
    expect(await may('control-api', place)).to.deep.equal({ seal: true, open: true });
    expect(await may('control-api', log)).to.deep.equal({ seal: false, open: false });
    expect(await may('reactor-runner', place)).to.deep.equal({ seal: false, open: true });
    expect(await may('control-api', job)).to.deep.equal({ seal: false, open: false });
    expect(await may('reactor-runner', log)).to.deep.equal({ seal: true, open: true });
    expect(await may('reactor-runner', job)).to.deep.equal({ seal: true, open: true });
    expect(await may('control-api', answer)).to.deep.equal({ seal: true, open: true });
    expect(await may('reactor-runner', answer)).to.deep.equal({ seal: false, open: false });
    expect(await may('control-api', proxyKey)).to.deep.equal({ seal: true, open: true });
    expect(await may('reactor-runner', proxyKey)).to.deep.equal({ seal: false, open: false });
    expect(await may('control-api', webhookSecret)).to.deep.equal({ seal: true, open: true });
    expect(await may('reactor-runner', webhookSecret)).to.deep.equal({ seal: false, open: true });
    expect(await may('control-api', destinationKey)).to.deep.equal({ seal: true, open: false });
    expect(await may('reactor-runner', destinationKey)).to.deep.equal({ seal: false, open: false });
    expect(await may('proxy-gateway', destinationKey)).to.deep.equal({ seal: false, open: true });
    for (const at of [place, answer, proxyKey, webhookSecret, log, job]) {
      expect(await may('proxy-gateway', at)).to.deep.equal({ seal: false, open: false });
    }
    for (const field of [
      'of a kind to come',
      'configuration',
      'keys',
      'secret.x',
      'destination_tls',
      'destination_tls.client_key.x',
      'token/data',
      'answer.x',
      'xlog.1',
    ]) {
      for (const peer of ['control-api', 'reactor-runner'] as const) {
        const items = [{ place: { ...place, field }, plaintext: Buffer.from('x') }];
        const refusal = await failureOf(vault.as(peer).unary(methods.seal, { items }, options()));
        expect(refusal.code, field).to.equal('permission_denied');
      }
    }
    const mixed = [place, log].map((at) => ({ place: at, plaintext: Buffer.from('x') }));
    const failure = await failureOf(control.unary(methods.seal, { items: mixed }, options()));
    expect(failure.code).to.equal('permission_denied');
  });
});
