import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { jsonReply } from './json-reply.ts';
import { signedInPerson, viewerOf } from './signed-in-person.ts';

/** Tokens as the person's role shows them, never in plain (contract/people.md#tokens). */
export async function listTokens({ tokens }: Pick<Dependencies, 'tokens'>, call: Call): Promise<Reply> {
  const { tokenView } = signedInPerson(call);
  const query = call.query.toString();
  return jsonReply(await tokens.list(viewerOf(call), tokenView !== 'redact', query, call.correlationId));
}
