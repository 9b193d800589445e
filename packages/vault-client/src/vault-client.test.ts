import { AppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { UsePurpose, type VaultCall, type VaultReply } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { VaultClient, type VaultStream } from './vault-client.ts';

const caller = {
  credential: 'key',
  trace: undefined,
  correlationId: 'c',
  signal: new AbortController().signal,
};
const use = { expressions: ['a'], purpose: UsePurpose.USE_PURPOSE_PROXY, purposeId: 'p' };

/** A vault that answers every call alike, and what it was asked. */
function vaultThat(outcome: VaultReply['outcome']) {
  const asked: (string | undefined)[] = [];
  const call = async (message: Pick<VaultCall, 'operation'>) => {
    asked.push(message.operation?.$case);
    return { id: 1, outcome, replayed: false };
  };
  return { asked, client: new VaultClient({ call } as unknown as VaultStream, 1000) };
}

/** contract/dry-runs.md#dry-runs: an earlier vault must never open what is only to be tried. */
describe('a dry run of detokenization', () => {
  it('is an operation of its own, which an earlier vault refuses; then nothing else is asked', async () => {
    const error = new AppError('invalid_argument', 'The call names no operation that this vault knows.');
    const { asked, client } = vaultThat({ $case: 'error', value: toWireError(error) });
    const refused = await client.dryDetokenize(caller, use).catch((thrown: AppError) => thrown);
    expect(refused).to.include({ code: 'unavailable' });
    expect(asked).to.deep.equal(['dryDetokenize']);
  });

  it('takes no values in place of stand-ins', async () => {
    const value = { values: ['"4242"'], unselectedPaths: [], readable: [] };
    const { client } = vaultThat({ $case: 'detokenized', value });
    const refused = await client.dryDetokenize(caller, use).catch((thrown: AppError) => thrown);
    expect(refused).to.include({ code: 'internal' });
  });
});
