import type { Call, Reply } from '../../http/call.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { uuidPattern } from '../../http/shape.ts';
import type { AsyncRequests } from '../../invocations/async-requests.ts';

const largestPage = 100;

/** The latest asynchronous invocations of a tenant's reactors, newest first (contract/invocations.md#asynchronous-invocations). */
export async function listAsyncInvocations(
  { asyncRequests }: { readonly asyncRequests: AsyncRequests },
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const start = reader.parsed('start', 50, decodeCursor, 'is no cursor of a page');
  const size = readSize(reader, largestPage);
  reader.done();
  const read = await asyncRequests.latest(principal.tenantId, size + 1, start);
  const data = read.slice(0, size);
  const last = read.length > size ? data.at(-1) : undefined;
  const next = last && Buffer.from(last.id).toString('base64url');
  return { status: 200, body: { pagination: { page_size: size, next }, data } };
}

function decodeCursor(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString('latin1');
  return uuidPattern.test(id) ? id : undefined;
}
