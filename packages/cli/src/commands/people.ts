import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { CliError } from '../terminal/cli-error.ts';

/** Members and invitations, by the paths of their lists. */
export const peoplePaths = {
  member: '/tenants/self/members',
  invitation: '/tenants/self/invitations',
} as const;

type One = keyof typeof peoplePaths;

/** The most that a page of members has; of invitations it may be more. */
const pageSize = 50;

export function listPeople(api: Api, one: One): Promise<JsonObject[]> {
  return listAll(api, peoplePaths[one], 'id', pageSize);
}

/** The path of the one with this id or address, whose capitals do not matter. @throws CliError */
export async function pathOfPerson(api: Api, one: One, person: string): Promise<string> {
  const wanted = person.toLowerCase();
  const all = await listPeople(api, one);
  const found = all.filter((each) => each['id'] === wanted || emailOf(each)?.toLowerCase() === wanted);
  if (found.length > 1) throw new CliError(`${found.length} ${one}s have the address ${person}; give the id`);
  if (found[0] === undefined) throw new CliError(`there is no ${one} ${person}`);
  return `${peoplePaths[one]}/${encodeURIComponent(plainText(found[0]['id']))}`;
}

/** Of the owner of a tenant only the id is known. */
export function emailOf({ email, user }: JsonObject): string | undefined {
  const shown = isObject(user) ? user['email'] : email;
  return typeof shown === 'string' ? shown : undefined;
}

export function lineOf(each: JsonObject): string {
  const members = [each['id'], each['role'], emailOf(each), each['status'], each['expires_at']];
  return members
    .filter((member) => member !== undefined)
    .map(plainText)
    .join('\t');
}
