import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { isObject } from '../api/json.ts';
import { CliError, isMissing, messageOf } from '../terminal/cli-error.ts';

/** Where Glovebox is, and with which keys. */
export interface Profile {
  readonly url?: string | undefined;
  /** Of an application of the type `management`. */
  readonly managementKey?: string | undefined;
  /** Of any other application: it uses tokens, which management keys cannot. */
  readonly apiKey?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** `GLOVEBOX_PROFILES`, or `glovebox/profiles.json` in the user's folder of configuration. */
export function profilesPath(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return env['GLOVEBOX_PROFILES'] || join(config, 'glovebox', 'profiles.json');
}

/** The profile with what the environment says in its place. @throws CliError */
export function loadProfile(env: Environment, name?: string): Profile {
  const chosen = name ?? (env['GLOVEBOX_PROFILE'] || 'default');
  const stored = readProfiles(profilesPath(env))[checkName(chosen)];
  if (stored === undefined && chosen !== 'default') {
    throw new CliError(`there is no profile ${chosen}: run glovebox login --profile ${chosen}`);
  }
  // A key is for one place: keys of a profile never go to another URL.
  const url = env['GLOVEBOX_URL'] || undefined;
  const kept = url === undefined || url === stored?.url ? stored : undefined;
  return {
    url: url ?? kept?.url,
    managementKey: env['GLOVEBOX_MANAGEMENT_KEY'] || kept?.managementKey,
    apiKey: env['GLOVEBOX_API_KEY'] || kept?.apiKey,
  };
}

/** Keeps a profile in a file that only its owner can read. */
export function saveProfile(env: Environment, name: string, profile: Profile): string {
  const path = profilesPath(env);
  const profiles = { ...readProfiles(path), [checkName(name)]: profile };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return path;
}

/** Without a trailing slash. @throws CliError for anything that would send keys in plain text */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new CliError(`${text} is not an address such as https://glovebox.example.com`);
  }
  const own = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !own) throw new CliError(`${text} must begin with https://`);
  return url.href.replace(/\/+$/, '');
}

function checkName(name: string): string {
  if (!namePattern.test(name)) throw new CliError('the name of a profile has letters, digits, _ and -');
  return name;
}

function readProfiles(path: string): Record<string, Profile> {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw new CliError(`${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    const { profiles } = JSON.parse(text) as { profiles?: unknown };
    if (isObject(profiles)) return { ...profiles } as Record<string, Profile>;
  } catch {
    // The same as a file of another content.
  }
  throw new CliError(`${path} is not a file of profiles`);
}
