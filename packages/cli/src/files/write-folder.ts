import { stringify } from 'yaml';

import { type Json, type JsonObject, isObject } from '../api/json.ts';
import { type Kind, kinds } from './kinds.ts';

/** What `pull` writes. */
export interface Written {
  readonly yaml: string;
  /** Code by its path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The environment variables that stand for values. */
  readonly variables: readonly string[];
}

/**
 * A folder of definitions. Code goes into files; values of configurations become references to the environment, since a file
 * must not hold a secret, and nobody else knows which of them are secret.
 */
export function writeFolder(
  resources: Readonly<Record<Kind, ReadonlyMap<string, JsonObject>>>,
  policy: JsonObject,
): Written {
  const files = new Map<string, string>();
  const variables = new Set<string>();
  const root: JsonObject = { version: 1 };
  for (const kind of kinds) {
    if (resources[kind].size === 0) continue;
    root[kind] = Object.fromEntries(
      [...resources[kind]].map(([name, definition]) => [
        name,
        withoutSecrets(withoutCode(definition, name, kind, files), kind, name, variables),
      ]),
    );
  }
  root['egress_policy'] = policy;
  return { yaml: stringify(root, { lineWidth: 110 }), files, variables: [...variables] };
}

/** @param member in which the value is */
function withoutCode(
  value: JsonObject,
  name: string,
  member: string,
  files: Map<string, string>,
): JsonObject {
  const within = (content: Json, key: string): Json => {
    if (Array.isArray(content)) return content.map((item) => within(item, key));
    return isObject(content) ? withoutCode(content, name, key, files) : content;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, content]) => {
      if (key === 'options') return [key, content];
      if (key !== 'code' || typeof content !== 'string') return [key, within(content, key)];
      const path = freePath(files, `${slug(name)}.${slug(member.replace(/_transforms?$/, ''))}`);
      files.set(path, content);
      return [key, `./${path}`];
    }),
  );
}

function withoutSecrets(
  definition: JsonObject,
  kind: Kind,
  name: string,
  variables: Set<string>,
): JsonObject {
  const reference = (member: string) => {
    const wanted = `${slug(name)}_${member}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    const variable = free(
      (candidate) => variables.has(candidate),
      `V_${wanted}`.replace(/^V_(?=[A-Z])/, ''),
      '_',
    );
    variables.add(variable);
    return { env: variable };
  };
  const { configuration, destination_tls: tls, ...rest } = definition;
  return {
    ...rest,
    ...(configuration === undefined
      ? {}
      : {
          configuration:
            kind === 'formulas' || !isObject(configuration) ? configuration : byEnv(configuration, reference),
        }),
    ...(isObject(tls)
      ? {
          destination_tls:
            'client_certificate' in tls ? { ...tls, client_key: reference('client_key') } : tls,
        }
      : {}),
  };
}

function byEnv(configuration: JsonObject, reference: (member: string) => Json): JsonObject {
  return Object.fromEntries(Object.keys(configuration).map((member) => [member, reference(member)]));
}

function freePath(files: ReadonlyMap<string, string>, base: string): string {
  return `${free((candidate) => files.has(`${candidate}.js`), base, '-')}.js`;
}

function free(taken: (candidate: string) => boolean, wanted: string, separator: string): string {
  let candidate = wanted;
  for (let number = 2; taken(candidate); number += 1) candidate = `${wanted}${separator}${number}`;
  return candidate;
}

/** Letters, digits and dashes of a name, so that no name leads anywhere. */
function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  return plain.replaceAll(/^-+|-+$/g, '') || 'unnamed';
}
