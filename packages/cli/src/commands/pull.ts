import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { folderFile } from '../files/folder.ts';
import { type Kind, byKind, kindFacts, kinds } from '../files/kinds.ts';
import { writeFolder } from '../files/write-folder.ts';
import { normalise, normalisePolicy } from '../plan/normalise.ts';
import { type Tenant, readTenant } from '../plan/tenant.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Output } from '../terminal/output.ts';
import { type Command, folderFlag } from './command.ts';
import { schemaLine, writeSchema } from './init.ts';

export const pull: Command = {
  name: 'pull',
  takes: [],
  flags: {
    ...folderFlag,
    force: { type: 'boolean', does: 'Overwrites files that are there.' },
  },
  does: 'Writes what the tenant has into a folder. Values of configurations become names of environment variables.',
  async run(call) {
    const folder = call.text('folder') ?? '.';
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const tenant = await readTenant(api, await api.read('/applications/key'), new Set(kinds), true);
    const definitions = byKind((kind) => definitionsOf(kind, tenant, call.out));
    const { yaml, files, variables } = writeFolder(definitions, normalisePolicy(tenant.egressPolicy ?? {}));
    const written = new Map([[folderFile, schemaLine + yaml], ...files]);
    const taken = [...written.keys()].find((path) => existsSync(join(folder, path)));
    if (taken !== undefined && !call.is('force'))
      throw new CliError(`${join(folder, taken)} exists; --force overwrites it`);
    writeSchema(folder);
    for (const [path, content] of written) writeFileSync(join(folder, path), content);
    const names =
      variables.length === 0 ? '' : `\nset these variables before diff and apply: ${variables.join(', ')}`;
    call.out.result(
      { files: [...written.keys()], variables },
      `wrote ${[...written.keys()].join(', ')}${names}`,
    );
    return 0;
  },
};

/** By name. What a folder cannot describe is left out, with a warning. */
function definitionsOf(kind: Kind, tenant: Tenant, out: Output): Map<string, JsonObject> {
  const all = tenant.resources[kind];
  const found = new Map<string, JsonObject>();
  for (const one of all) {
    const name = plainText(one['name']);
    // The program would lock itself out; others end by themselves.
    if (one['id'] === tenant.ownApplication || one['type'] === 'expiring') continue;
    if (all.filter((other) => other['name'] === name).length > 1) {
      out.warn(`${kind}.${name} is left out: several have this name`);
      continue;
    }
    found.set(name, withNames(kind, normalise(kind, one), tenant));
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** References by name, where a name is enough. */
function withNames(kind: Kind, definition: JsonObject, tenant: Tenant): JsonObject {
  const named = { ...definition };
  for (const [member, target] of Object.entries(kindFacts[kind].references)) {
    const reference = definition[member];
    const id = isObject(reference) ? reference['id'] : undefined;
    const name = tenant.resources[target].find((one) => one['id'] === id)?.['name'];
    const same = tenant.resources[target].filter((one) => one['name'] === name);
    if (typeof name === 'string' && same.length === 1) named[member] = name;
  }
  return named;
}
