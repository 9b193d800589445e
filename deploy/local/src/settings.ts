import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

import { createStateDirectory } from './places.ts';
import { freePort, isFree } from './ports.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { StartProblem } from './problem.ts';
import { type PortName, type ServiceName, portNames, serviceNames } from './service-names.ts';

/** Choices of the first start, stored in `.glovebox/local.json`, which only its owner can read. */
export interface Settings {
  readonly version: 1;
  /** Distinguishes this installation from others on the machine. */
  readonly instance: string;
  readonly ports: Readonly<Record<PortName, number>>;
  readonly postgresPassword: string;
  readonly redisPassword: string;
  /** Of each service's own database role. */
  readonly databasePasswords: { readonly control: string; readonly vault: string };
  /** Tokens by which the services authenticate each other. */
  readonly serviceTokens: Readonly<Record<ServiceName, string>>;
  readonly developmentTenant?: DevelopmentTenant;
}

export interface DevelopmentTenant {
  readonly tenant_id: string;
  readonly management_api_key: string;
  readonly private_api_key: string;
  readonly public_api_key: string;
}

export function settingsFile(stateDir: string): string {
  return join(stateDir, 'local.json');
}

/**
 * The settings of this installation, made at the first call. A port that another process has taken meanwhile is
 * replaced.
 * @throws StartProblem when the file is unreadable or of another version, or the directory not writable
 */
export async function loadSettings(stateDir: string): Promise<Settings> {
  try {
    createStateDirectory(stateDir);
    accessSync(stateDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartProblem(
      `${stateDir} is not writable for this user`,
      'Run as the user who owns it, or set GLOVEBOX_STATE_DIR to a directory of yours.',
      { cause: error },
    );
  }
  const kept = readSettings(stateDir);
  const settings = { ...(kept ?? createSettings()), ports: await choosePorts(kept?.ports ?? {}) };
  saveSettings(stateDir, settings);
  return settings;
}

/** @returns undefined when this installation has never started */
export function readSettings(stateDir: string): Settings | undefined {
  const found = readPrivateJson(settingsFile(stateDir));
  if (found === undefined) return undefined;
  if (typeof found === 'object' && found !== null && 'version' in found && found.version === 1) {
    return found as Settings;
  }
  throw new StartProblem(
    `${settingsFile(stateDir)} was not written by this version of Glovebox`,
    `Use the version that wrote it, or move ${stateDir} away to start empty.`,
  );
}

export function saveSettings(stateDir: string, settings: Settings): void {
  writePrivateJson(settingsFile(stateDir), settings);
}

function createSettings(): Omit<Settings, 'ports'> {
  const secret = () => randomBytes(24).toString('hex');
  return {
    version: 1,
    instance: randomBytes(6).toString('hex'),
    postgresPassword: secret(),
    redisPassword: secret(),
    databasePasswords: { control: secret(), vault: secret() },
    serviceTokens: Object.fromEntries(serviceNames.map((name) => [name, secret()])) as Record<
      ServiceName,
      string
    >,
  };
}

async function choosePorts(kept: Partial<Record<PortName, number>>): Promise<Record<PortName, number>> {
  const chosen = new Map<PortName, number>();
  const taken = new Set<number>();
  for (const name of portNames) {
    let port = kept[name];
    if (port === undefined || taken.has(port) || !(await isFree(port))) {
      do port = await freePort();
      while (taken.has(port) || Object.values(kept).includes(port));
    }
    taken.add(port);
    chosen.set(name, port);
  }
  return Object.fromEntries(chosen) as Record<PortName, number>;
}
