import type { Permission } from '@glovebox/access/permission';
import type { Queryable } from '@glovebox/platform/db/postgres';

import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { VersionedKind } from '../../versions/kind.ts';
import type { NewDraft } from '../../versions/version-table.ts';
import { showMade } from './show-restored.ts';

interface DraftedKind {
  readonly versions: VersionedKind;
  /** Path of the resources. */
  readonly root: string;
  readonly read: Permission;
}

interface Drafted {
  readonly event: AuditEvent;
  readonly draft: Pick<NewDraft, 'definition' | 'changed'> & {
    /** The present version. */ readonly present: string;
  };
}

/** Stores a draft of a locked resource. Nothing is published: no request gets it. */
export async function storeDraft(
  tx: Queryable,
  { versions, root, read }: DraftedKind,
  call: Call,
  { draft: { present, ...draft }, event }: Drafted,
): Promise<Reply> {
  const { id, principal, comment } = call;
  const createdBy = principal.applicationId;
  const version = await versions.draft(tx, id, present, { ...draft, comment, createdBy });
  await recordAuditEvent(tx, event);
  const body = await showMade(tx, versions, call, { version, readPermission: read });
  return { status: 201, body, location: `${root}/${id}/versions/${version}` };
}
