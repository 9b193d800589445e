import { UsageError } from '../terminal/cli-error.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A moment in ISO 8601, from one or from how long ago it was, such as `1h`.
 * @param flag from which it was read
 * @throws UsageError
 */
export function momentOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * (units[unit] ?? 0)).toISOString();
  if (Number.isNaN(Date.parse(text)))
    throw new UsageError(`--${flag} is such as 30m, 1h, 7d or 2026-01-31T12:00:00Z`);
  return text;
}
