import { readPrivateJson } from '@glovebox/local/private-file';
import { readRunning } from '@glovebox/local/run-journal';
import { type Settings, settingsFile } from '@glovebox/local/settings';
import { type PublicKeys, publicKeysSetting } from '@glovebox/published/public-keys';

import { type OtherTenant, anotherTenant } from '../../harness/another-tenant.ts';
import { type Json, send } from '../../harness/api.ts';
import type { System } from '../../harness/system.ts';
import { withoutTrace } from '../../harness/without-trace.ts';

/** A tenant that stores tokens and reads them. */
export interface Teller {
  readonly tenant: OtherTenant;
  /** Stores one. @returns its id */
  token(body: object): Promise<string>;
  change(id: string, patch: object): Promise<void>;
  /** Status and body of a read, without what differs each time. */
  ask(id: string): Promise<string>;
}

export interface TamperStage {
  readonly system: System;
  readonly own: Teller;
  readonly other: Teller;
  /** As its superuser. */
  readonly vaultDatabase: string;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  /** Of control-api. */
  readonly publicKeys: PublicKeys;
}

/** Everything that tampering needs of a running system, which it leaves as it found it. */
export async function tamperStage(system: System): Promise<TamperStage> {
  const running = readRunning(system.stateDir)?.system;
  const settings = readPrivateJson(settingsFile(system.stateDir)) as Settings | undefined;
  if (running === undefined || settings === undefined) throw new Error('the system is not running');
  const vaultDatabase = new URL(running.databases.vault);
  vaultDatabase.username = 'postgres';
  vaultDatabase.password = settings.postgresPassword;
  return {
    system,
    own: await tellerOf(system, 'tampered with'),
    other: await tellerOf(system, 'neighbour of who is tampered with'),
    vaultDatabase: vaultDatabase.href,
    redisUrl: running.redisUrl,
    redisPrefix: running.redisPrefix,
    publicKeys: publicKeysSetting.read(
      { PUBLICATION_PUBLIC_KEYS: running.publicationKey.publicKeys },
      () => undefined,
    ),
  };
}

async function tellerOf(system: System, name: string): Promise<Teller> {
  const tenant = await anotherTenant(system, name);
  const base = system.dev.base_url;
  const permissions = ['create', 'read', 'update', 'search', 'use'].map((verb) => `token:${verb}`);
  const rules = [{ description: name, priority: 1, container: '/', transform: 'reveal', permissions }];
  const { key } = await wanted(
    send(base, 'POST', '/applications', {
      key: tenant.management_api_key,
      body: { name, type: 'private', rules },
    }),
  );
  return {
    tenant,
    token: async (body) => (await wanted(send(base, 'POST', '/tokens', { key, body }))).id as string,
    change: async (id, body) => {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      await wanted(send(base, 'PATCH', `/tokens/${id}`, { key, headers, body: JSON.stringify(body) }));
    },
    ask: async (id) => {
      const { status, text } = await send(base, 'GET', `/tokens/${encodeURIComponent(id)}`, { key });
      return `${status} ${withoutTrace(text)}`;
    },
  };
}

async function wanted(answer: ReturnType<typeof send>): Promise<Json> {
  const { status, json, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json;
}
