import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import { countLately } from '../../audit/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Problems, readShape, required, uuidPattern } from '../../http/shape.ts';
import { lockTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { jsonReply } from './json-reply.ts';
import { requireReveal, revealReason } from './require-reveal.ts';

/** As many as of reveals of tokens. */
const mostInAnHour = 60;

const shape = z.object({
  subject: z.object({
    type: z.enum(['proxy', 'reactor'], required('must be proxy or reactor')),
    id: z.string(required('must be a string')).regex(uuidPattern, 'must be a UUID'),
  }),
  trace_id: z.string(required('must be a string')).min(1, 'must not be empty').max(200),
  reason: revealReason,
});

/**
 * Message, stack and log of the code of one request: they may hold any token, so who may see them, and what it takes, is
 * as of a reveal (contract/people.md#logs-of-code). The entry in the log comes first.
 */
export async function readInvocationLog(
  { postgres, invocationLogs }: Pick<Dependencies, 'postgres' | 'invocationLogs'>,
  call: Call,
): Promise<Reply> {
  requireReveal(call);
  const problems: Problems = {};
  const input = readShape(shape, call.body, problems);
  if (input === undefined) throw validationError(problems);
  const { subject, reason, trace_id: traceId } = input;
  const { tenantId } = call.principal;
  const ownerId = subject.id.toLowerCase();
  await postgres.transaction(async (tx) => {
    await requireRoom(tx, tenantId);
    await recordAuditEvent(tx, { ...auditEvent(call, 'read_log', subject.type, ownerId), reason });
  });
  const json = await invocationLogs.read({ tenantId, ownerId, traceId }, call.correlationId);
  return jsonReply(`{"data":${json}}`);
}

/** One after the other, so that none is overlooked. @throws AppError `rate_limited` */
async function requireRoom(tx: Queryable, tenantId: string): Promise<void> {
  await lockTenant(tx, tenantId);
  if ((await countLately(tx, tenantId, 'read_log')) < mostInAnHour) return;
  throw new AppError('rate_limited', `At most ${mostInAnHour} logs of code are shown in an hour.`);
}
