import { described } from '../../../../test/gen/settings-page.ts';

/** All that a service reads from its environment. */
export function settingsOf(service: string): ReadonlySet<string> {
  return new Set(described[service]?.map(({ name }) => name));
}

/** Those that have no default, whatever else is set. */
export function requiredSettingsOf(service: string): string[] {
  const required = described[service]?.filter((setting) => setting.default === undefined);
  return (required ?? []).map(({ name }) => name);
}
