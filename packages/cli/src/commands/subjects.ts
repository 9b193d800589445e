import type { Api } from '../api/api.ts';
import { plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { type Kind, kindFacts, kinds } from '../files/kinds.ts';
import { idOf } from '../plan/find.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';

/** The kind that a word means: `proxy` or `proxies`. @throws UsageError */
export function kindOf(word: string, allowed: readonly Kind[]): Kind {
  const found = allowed.find((kind) => kind === word || kindFacts[kind].one === word);
  if (found === undefined)
    throw new UsageError(`KIND is ${allowed.map((kind) => kindFacts[kind].one).join(' or ')}`);
  return found;
}

export const versionedKinds = kinds.filter((kind) => kindFacts[kind].versioned);

/** The path of the resource of a name or id. @throws CliError */
export async function pathOfNamed(api: Api, kind: Kind, name: string): Promise<string> {
  const { path } = kindFacts[kind];
  return `${path}/${encodeURIComponent(idOf(kind, await listAll(api, path), name))}`;
}

/** Of the kinds that the key may read; an id that is none of them is taken as it is. */
export async function subjectIdOf(api: Api, subject: string | undefined): Promise<string | undefined> {
  if (subject === undefined || /^[\da-f]{8}-[\da-f-]{27}$/.test(subject)) return subject;
  const lists = await Promise.all(kinds.map((kind) => listAll(api, kindFacts[kind].path).catch(() => [])));
  const named = lists.flat().filter(({ name }) => name === subject);
  if (named.length !== 1)
    throw new CliError(`${named.length} resources have the name ${subject}; give the id`);
  return plainText(named[0]?.['id']);
}
