/** JSON text of a Reactor Response (contract/reactors.md#result); what there is not is left out. */
export function answerText(tokens: Buffer | undefined, raw: string | undefined): Buffer {
  const members: Buffer[] = [];
  if (tokens !== undefined) members.push(Buffer.from('"tokens":'), tokens);
  if (tokens !== undefined && raw !== undefined) members.push(Buffer.from(','));
  if (raw !== undefined) members.push(Buffer.from(`"raw":${raw}`));
  return Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]);
}
