import type { Api } from '../api/api.ts';
import { listAll } from '../api/list.ts';
import { type Kind, kindFacts, kinds } from '../files/kinds.ts';
import { idOf } from '../plan/find.ts';
import { UsageError } from '../terminal/cli-error.ts';

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
