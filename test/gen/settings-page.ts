import { type SettingDescription, describeSettings } from '@glovebox/platform/settings/setting';

import { settings as operator } from '../../deploy/operator/src/config.ts';
import { settings as controlApi } from '../../services/control-api/src/config.ts';
import { settings as gateway } from '../../services/proxy-gateway/src/config.ts';
import { settings as runner } from '../../services/reactor-runner/src/config.ts';
import { settings as vault } from '../../services/token-vault/src/config.ts';

/** What each program reads, in the order of its declaration. */
export const described: Readonly<Record<string, readonly SettingDescription[]>> = {
  'control-api': distinct(describeSettings(controlApi)),
  'proxy-gateway': distinct(describeSettings(gateway)),
  'token-vault': distinct(describeSettings(vault)),
  'reactor-runner': distinct(describeSettings(runner)),
  operator: distinct(describeSettings(operator)),
};

/** A setting is declared twice where two groups depend on it. */
function distinct(all: readonly SettingDescription[]): SettingDescription[] {
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
}

interface Row extends SettingDescription {
  readonly services: readonly string[];
}

/** docs/settings.md with its tables made anew: each is between `<!-- settings: <title> -->` and `<!-- end -->`. */
export function renderSettingsPage(page: string): string {
  return page.replaceAll(
    /(<!-- settings: ([a-z-]+) -->\n).*?(<!-- end -->)/gs,
    (_, start: string, title: string, end: string) => `${start}\n${tableOf(title)}\n${end}`,
  );
}

function tableOf(title: string): string {
  const rows = allRows();
  if (title === 'limits') return table(rows.filter(isLimit), true);
  const others = rows.filter((row) => !isLimit(row));
  if (title === 'shared') return table(others.filter(isShared), true);
  return table(
    others.filter((row) => !isShared(row) && row.services[0] === title),
    false,
  );
}

const isLimit = ({ name }: Row) => /^MAX_.*(?<!_MS)$/.test(name);
const isShared = ({ services }: Row) => services.length > 1;

/** Settings of several services that mean the same are one row. */
function allRows(): Row[] {
  const rows = new Map<string, Row>();
  for (const [service, settings] of Object.entries(described))
    for (const setting of settings) {
      const key = JSON.stringify(setting);
      rows.set(key, { ...setting, services: [...(rows.get(key)?.services ?? []), service] });
    }
  return [...rows.values()];
}

function table(rows: readonly Row[], showServices: boolean): string {
  const head = ['variable', 'default', 'range', 'meaning', ...(showServices ? ['services'] : [])];
  const cells = rows.map((row) => [
    `\`${row.name}\``,
    defaultOf(row),
    row.range === undefined ? '' : `${grouped(row.range.min)} to ${grouped(row.range.max)}`,
    row.meaning,
    ...(showServices ? [row.services.length === 4 ? 'all' : row.services.join(', ')] : []),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((line) => line[at]?.length ?? 0)));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...cells].map(line).join('');
}

function defaultOf(setting: SettingDescription): string {
  if (setting.requiredWhen !== undefined) return `required ${setting.requiredWhen}`;
  if (setting.default === undefined) return 'required';
  if (setting.default === '') return '';
  return typeof setting.default === 'number' ? grouped(setting.default) : `\`${setting.default}\``;
}

const grouped = (value: number) => value.toLocaleString('en-US');
