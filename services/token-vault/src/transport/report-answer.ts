import type { AppError, ErrorCode } from '@glovebox/platform/errors/app-error';

import type { OpenCall } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';

/** What an operator should see; the rest is the caller's affair, and its message may quote the request. */
const levels: Partial<Record<ErrorCode, 'error' | 'warn'>> = { internal: 'error', unavailable: 'warn' };

/** One error may be the answer to all calls of a frame; it is told once. */
const logged = new WeakSet<AppError>();

/**
 * Counts the answer, and logs it when the vault is at fault. Calls whose key is unknown belong to no tenant, so they
 * leave no audit row: the count, and this line on level info, is what shows them.
 */
export function reportAnswer(vault: VaultContext, call: OpenCall, error: AppError | undefined): void {
  vault.metrics.calls.add(call.operation, error?.code ?? 'ok');
  if (error === undefined) return;
  const line = { operation: call.operation, correlationId: call.correlationId, code: error.code };
  const level = levels[error.code];
  if (error.code === 'unauthenticated') vault.logger.info(line, 'call refused');
  if (level === undefined || logged.has(error)) return;
  logged.add(error);
  vault.logger[level]({ ...line, err: error }, 'call failed');
}
