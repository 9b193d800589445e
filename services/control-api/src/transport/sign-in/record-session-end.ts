import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Request } from 'express';

import { recordAuditEvent } from '../../audit/audit-event.ts';
import { readComment } from '../../http/comment.ts';
import type { SessionHolder } from '../../people/sessions.ts';
import { soleHeader } from '../headers.ts';
import { originOf } from './options.ts';

export interface EndedSession {
  readonly holder: SessionHolder;
  /** The user, or the application of the key. */
  readonly actorId: string;
  readonly tenantId: string;
}

/** Logs that a session has ended, in the tenant to which it belonged, with the reason that the request gives. */
export async function recordSessionEnd(
  tx: Queryable,
  request: Request,
  operation: 'sign_out' | 'end_session',
  { holder, actorId, tenantId }: EndedSession,
): Promise<void> {
  const { correlationId, clientAddress } = originOf(request);
  const isMember = holder.kind === 'member';
  await recordAuditEvent(tx, {
    tenantId,
    correlationId,
    clientAddress,
    actorId,
    actorType: isMember ? 'user' : 'application',
    operation,
    entityType: isMember ? 'member' : 'application',
    entityId: actorId,
    reason: readComment(soleHeader(request.headers, 'comment')),
  });
}
