import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { signedInPerson } from './signed-in-person.ts';

const longest = 1000;

/** The containers directly below `parent`, which is the root unless it is given (contract/people.md#tokens). */
export async function listContainers({ tokens }: Pick<Dependencies, 'tokens'>, call: Call): Promise<Reply> {
  signedInPerson(call);
  const query = new QueryReader(call.query);
  const parent = query.single('parent', longest) ?? '/';
  query.done();
  const { containers, more } = await tokens.containersBelow(
    call.principal.tenantId,
    parent,
    call.correlationId,
  );
  return { status: 200, body: { data: containers, more } };
}
