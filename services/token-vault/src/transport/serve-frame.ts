import { setImmediate } from 'node:timers/promises';

import type { InboundCall } from '@glovebox/platform/calls/server';
import type { AppError, ErrorCode } from '@glovebox/platform/errors/app-error';
import type { VaultCall, VaultReply } from '@glovebox/protos/vault/v1/vault';

import { identifyCaller } from '../calls/identify-caller.ts';
import { type IdentifiedCall, OpenCall, withContext } from '../calls/open-call.ts';
import { recordViolation } from '../context/record-violation.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import { type Read, readTokens } from '../operations/reads/read-tokens.ts';
import { type Task, dispatch } from './dispatch.ts';

/**
 * Serves one frame of the Exchange stream: identifies the callers, dispatches their calls, and serves all reads of
 * tokens as one. Calls whose caller must be looked up first follow in a second batch, so that an unknown key delays
 * no other call.
 */
export async function serveFrame(
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
      vault.barrier.requireOpen();
      vault.overload.requireRoom();
      const caller = identifyCaller(vault.published, call.message, peer);
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

const longMs = 5;

/** Parsing expressions may take long: yields to other calls in between. Tenants take turns. */
async function serve(vault: VaultContext, calls: readonly IdentifiedCall[]): Promise<void> {
  let reads: Read[] = [];
  const tasks: Promise<void>[] = [];
  let since = performance.now();
  for (const identified of inTurns(calls)) {
    try {
      const planned = dispatch(vault, identified);
      if (planned instanceof Promise) tasks.push(readLater(vault, identified, planned));
      else if (planned.kind === 'task') tasks.push(perform(vault, identified, planned));
      else reads.push(planned);
    } catch (error) {
      identified.call.fail(error);
    }
    if (performance.now() - since < longMs) continue;
    tasks.push(readTokens(vault, reads));
    reads = [];
    await setImmediate();
    since = performance.now();
  }
  await Promise.all([readTokens(vault, reads), ...tasks]);
}

/** The first call of each tenant, then the second of each, and so on. */
function inTurns(calls: readonly IdentifiedCall[]): readonly IdentifiedCall[] {
  const first = calls[0]?.caller.tenantId;
  if (calls.every(({ caller }) => caller.tenantId === first)) return calls;
  const turns: IdentifiedCall[][] = [];
  const counts = new Map<string, number>();
  for (const call of calls) {
    const { tenantId } = call.caller;
    const turn = counts.get(tenantId) ?? 0;
    counts.set(tenantId, turn + 1);
    (turns[turn] ??= []).push(call);
  }
  return turns.flat();
}

/** Waits for what a read needs, without delaying other reads. */
async function readLater(
  vault: VaultContext,
  identified: IdentifiedCall,
  planned: Promise<Read>,
): Promise<void> {
  let read: Read;
  try {
    read = await planned;
  } catch (error) {
    return fail(vault, identified, error);
  }
  return readTokens(vault, [read]);
}

async function perform(vault: VaultContext, identified: IdentifiedCall, { admit, run }: Task): Promise<void> {
  const { call } = identified;
  try {
    const outcome = await admit(async () => {
      if (call.abandoned !== undefined) throw call.abandoned;
      return withContext(call.context, run);
    });
    call.succeed(outcome);
  } catch (error) {
    await fail(vault, identified, error);
  }
}

/** An integrity violation is in the audit log before its caller gets the answer. */
async function fail(vault: VaultContext, identified: IdentifiedCall, error: unknown): Promise<void> {
  if (error instanceof IntegrityViolation) await recordViolation(vault, identified, error);
  identified.call.fail(error);
}

/** Other errors are the caller's, and their messages may quote the request. */
const levels: Partial<Record<ErrorCode, 'error' | 'warn'>> = { internal: 'error', unavailable: 'warn' };

/** One error may answer all calls of a frame; it is logged once. */
const logged = new WeakSet<AppError>();

/** Counts the answer, and logs failures of the vault. Only this shows calls with an unknown key: they have no audit row. */
function reportAnswer(vault: VaultContext, call: OpenCall, error: AppError | undefined): void {
  vault.metrics.calls.add(call.operation, error?.code ?? 'ok');
  if (error === undefined) return;
  const line = { operation: call.operation, correlationId: call.correlationId, code: error.code };
  const level = levels[error.code];
  if (error.code === 'unauthenticated') vault.logger.info(line, 'call refused');
  if (level === undefined || logged.has(error)) return;
  logged.add(error);
  vault.logger[level]({ ...line, err: error }, 'call failed');
}
