import { validationError } from '@glovebox/platform/errors/app-error';

import type { Call, Reply } from '../../http/call.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { type VersionedKind, showVersion } from '../../versions/kind.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingResource } from './missing.ts';

/** By cursor (contract/conventions.md#pagination), the newest first. */
export function listVersions(kind: VersionedKind) {
  return async ({ postgres, inputLimits }: Dependencies, { principal, id, query }: Call): Promise<Reply> => {
    const reader = new QueryReader(query);
    const before = readCursor(reader.single('start', 500));
    const size = readSize(reader, inputLimits.pageSize);
    reader.done();
    const list = (page: Parameters<VersionedKind['list']>[3]) =>
      kind.list(postgres, principal.tenantId, id, page);
    const rows = await list({ before, limit: size + 1 });
    // What a cursor leads to may have been removed since; a resource has a version always.
    if (rows.length === 0 && (await list({ before: undefined, limit: 1 })).length === 0)
      missingResource(kind);
    const shown = rows.slice(0, size);
    const last = rows.length > size ? shown.at(-1) : undefined;
    const pagination = { page_size: size, next: last && writeCursor(last.version) };
    return { status: 200, body: { pagination, data: shown.map((row) => showVersion(kind, row)) } };
  };
}

function writeCursor(version: string): string {
  return Buffer.from(`before ${version}`).toString('base64url');
}

/** @returns the version before which a page begins */
function readCursor(start: string | undefined): string | undefined {
  if (start === undefined) return undefined;
  const [, version] = /^before (\d{1,15})$/.exec(Buffer.from(start, 'base64url').toString('latin1')) ?? [];
  if (version !== undefined) return version;
  throw validationError({ start: ['must be a cursor from an earlier page of this list'] });
}
