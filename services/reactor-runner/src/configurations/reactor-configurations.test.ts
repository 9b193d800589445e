import { AppError } from '@glovebox/platform/errors/app-error';
import type { ReactorRecord } from '@glovebox/published/records';
import { SealWatch } from '@glovebox/vault-client/seal-watch';
import { expect } from 'chai';

import { ReactorConfigurations } from './reactor-configurations.ts';

const reactor: ReactorRecord = {
  version: 1,
  id: 'r',
  tenantId: 't',
  name: 'reactor',
  applicationId: '',
  formulaId: 'f',
  code: '',
  declaredConfiguration: [
    { name: 'COUNT', type: 'number' },
    { name: 'ON', type: 'boolean' },
    { name: 'KEY', type: 'string' },
  ],
  requestParameters: [],
  allowedDestinations: undefined,
  sealedConfiguration: {},
  responseGuard: '',
};

describe('the configuration of a reactor', () => {
  let texts: Record<string, string>;
  let opened: number;
  let isSealed: boolean;
  const sealWatch = new SealWatch(async () => isSealed);
  const configurations = () =>
    new ReactorConfigurations({
      sealWatch,
      openConfiguration: async () => {
        opened += 1;
        return texts;
      },
    });
  beforeEach(() => {
    texts = { COUNT: '12', ON: 'true', KEY: '7', MORE: 'text' };
    opened = 0;
    isSealed = false;
  });

  it('has the types that the formula declares; what it does not declare is a string', async () => {
    const text = (await configurations().of(reactor, 'c')).reveal();
    expect(JSON.parse(text)).to.deep.equal({ COUNT: 12, ON: true, KEY: '7', MORE: 'text' });
  });

  it('is opened once for each version', async () => {
    const kept = configurations();
    await Promise.all([kept.of(reactor, 'a'), kept.of(reactor, 'b')]);
    await kept.of(reactor, 'c');
    expect(opened).to.equal(1);
    texts = { ...texts, COUNT: '13' };
    expect((await kept.of({ ...reactor, version: 2 }, 'd')).reveal()).to.contain('"COUNT":13');
  });

  it('is not used any more while the vault is sealed, and opened again afterwards', async () => {
    const kept = configurations();
    const sealed = { ...reactor, sealedConfiguration: { KEY: Buffer.from('sealed') } };
    await kept.of(sealed, 'a');
    isSealed = true;
    await sealWatch.look();
    const code = await kept.of(sealed, 'b').then(
      () => 'ok',
      (error: AppError) => error.code,
    );
    expect(code).to.equal('vault_sealed');
    isSealed = false;
    await sealWatch.look();
    await kept.of(sealed, 'c');
    expect(opened, 'what was opened before is gone').to.equal(2);
  });

  it('is refused, with all that is wrong, when it does not fit its formula any more', async () => {
    texts = { COUNT: 'many', KEY: 'k' };
    const kept = configurations();
    for (let n = 0; n < 2; n += 1) {
      const error = await kept.of(reactor, 'c').then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof AppError)) throw new Error('expected an AppError');
      expect(error).to.include({ code: 'invalid_argument', message: 'Invalid Reactor Configuration' });
      expect(error.errors).to.deep.equal({
        'configuration.COUNT': ['must be a number'],
        'configuration.ON': ['is required'],
      });
    }
    expect(opened).to.equal(1);
  });
});
