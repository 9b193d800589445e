import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

const names = /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PEERS|WORKERS)'/g;

/** All that a service reads from its environment. */
export function settingsOf(service: string): ReadonlySet<string> {
  const source = sourceOf(service) + read(`services/${service}/src/**/{read-limits,read-*-config}.ts`);
  return new Set([...source.matchAll(names)].map(([, name]) => name as string));
}

/** Those that have no default: the reader is asked for them without one, and whatever else is set. */
export function requiredSettingsOf(service: string): string[] {
  const asked =
    /\.(?:secret|address|string)\('([A-Z_]+)'\)|\.url\('([A-Z_]+)',|readPeerTokens\(\w+, '([A-Z_]+)'\)/g;
  return [...sourceOf(service).matchAll(asked)].map(([, a, b, c]) => (a ?? b ?? c) as string);
}

function sourceOf(service: string): string {
  return read(
    `services/${service}/src/{config,*-config}.ts`,
    'packages/{access,egress,expressions,platform,published}/src/read-*.ts',
  );
}

function read(...patterns: readonly string[]): string {
  return globSync(patterns, { cwd: checkout })
    .map((path) => readFileSync(join(checkout, path), 'utf8'))
    .join('\n');
}
