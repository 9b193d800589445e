import type { InboundCall } from '@glovebox/platform/call-stream-server';
import { AppError } from '@glovebox/platform/errors';
import type { VaultCall, VaultReply } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../vault-context.ts';
import { associateTokens, dissociateTokens } from './associate-tokens.ts';
import { createToken } from './create-token.ts';
import { deleteToken } from './delete-token.ts';
import { planDetokenize } from './detokenize.ts';
import { planGetToken } from './get-token.ts';
import { identifyCaller } from './identify-caller.ts';
import { listTokens } from './list-tokens.ts';
import { type IdentifiedCall, OpenCall, type Outcome, within } from './open-call.ts';
import { type Read, readTokens } from './read-tokens.ts';
import { reportAnswer } from './report-answer.ts';
import { searchTokens } from './search-tokens.ts';
import { tokenize } from './tokenize.ts';
import { updateToken } from './update-token.ts';

/**
 * One frame of the Exchange stream: who calls, what is wanted, then all reads as one and each write by itself.
 * Calls whose caller has to be looked up first follow as a second batch, so that an unknown key delays nobody else.
 */
export async function exchange(
  vault: VaultContext,
  frame: readonly InboundCall<VaultCall, VaultReply>[],
  peer: string,
): Promise<void> {
  vault.metrics.frames.add(1);
  const { identified, pending } = identify(vault, frame, peer);
  await Promise.all([serve(vault, identified), pending.length > 0 && servePending(vault, pending)]);
}

interface Identification {
  readonly identified: IdentifiedCall[];
  readonly pending: Promise<IdentifiedCall | undefined>[];
}

function identify(
  vault: VaultContext,
  frame: readonly InboundCall<VaultCall, VaultReply>[],
  peer: string,
): Identification {
  const identified: IdentifiedCall[] = [];
  const pending: Promise<IdentifiedCall | undefined>[] = [];
  for (const inbound of frame) {
    const call = new OpenCall(inbound, (error) => reportAnswer(vault, call, error));
    try {
      const caller = identifyCaller(vault.registry, call.message, peer);
      if (caller instanceof Promise) pending.push(whenIdentified(call, caller));
      else identified.push({ call, caller });
    } catch (error) {
      call.fail(error);
    }
  }
  return { identified, pending };
}

async function whenIdentified(
  call: OpenCall,
  caller: Promise<IdentifiedCall['caller']>,
): Promise<IdentifiedCall | undefined> {
  try {
    return { call, caller: await caller };
  } catch (error) {
    call.fail(error);
    return undefined;
  }
}

async function servePending(
  vault: VaultContext,
  pending: readonly Promise<IdentifiedCall | undefined>[],
): Promise<void> {
  const settled = await Promise.all(pending);
  await serve(
    vault,
    settled.filter((call) => call !== undefined),
  );
}

async function serve(vault: VaultContext, calls: readonly IdentifiedCall[]): Promise<void> {
  const reads: Read[] = [];
  const writes: Promise<void>[] = [];
  for (const identified of calls) {
    try {
      const planned = plan(vault, identified);
      if (typeof planned === 'function') writes.push(perform(vault, identified.call, planned));
      else reads.push(planned);
    } catch (error) {
      identified.call.fail(error);
    }
  }
  await Promise.all([readTokens(vault, reads), ...writes]);
}

/** A read is described, to be served together with others; a write is done by itself. */
function plan(vault: VaultContext, identified: IdentifiedCall): Read | (() => Promise<Outcome>) {
  const { operation } = identified.call.message;
  switch (operation?.$case) {
    case 'detokenize':
      return planDetokenize(vault, identified, operation.value);
    case 'getToken':
      return planGetToken(identified, operation.value);
    case 'createToken':
      return () => createToken(vault, identified, operation.value);
    case 'tokenize':
      return () => tokenize(vault, identified, operation.value);
    case 'listTokens':
      return () => listTokens(vault, identified, operation.value);
    case 'searchTokens':
      return () => searchTokens(vault, identified, operation.value);
    case 'updateToken':
      return () => updateToken(vault, identified, operation.value);
    case 'associateTokens':
      return () => associateTokens(vault, identified, operation.value);
    case 'dissociateTokens':
      return () => dissociateTokens(vault, identified, operation.value);
    case 'deleteToken':
      return () => deleteToken(vault, identified, operation.value);
    default:
      throw new AppError('invalid_argument', 'The call names no operation that this vault knows.');
  }
}

async function perform(vault: VaultContext, call: OpenCall, write: () => Promise<Outcome>): Promise<void> {
  try {
    const outcome = await vault.writes.run(async () => {
      if (call.givenUp !== undefined) throw call.givenUp;
      return within(call.context, write);
    });
    call.succeed(outcome);
  } catch (error) {
    call.fail(error);
  }
}
