/**
 * When a token, a session or an expiring application ends. `text` is how a token shows it: ISO 8601 with the offset that
 * the client used (contract/tokens.md#expiration).
 */
export interface ExpiresAt {
  readonly epochMs: number;
  readonly text: string;
}

const maxLength = 40;

/** The end of the year 9999 in UTC: Postgres cannot read how JavaScript writes later times. */
export const maxEpochMs = 253_402_300_799_999;

const isoFormat =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,7}))?)?\s?(?<offset>[Zz]|[+-]\d\d:?\d\d)?)?$/;
const usFormat =
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))? (?<half>[AaPp][Mm])(?: (?<offset>[Zz]|[+-]\d\d:\d\d))?)?$/;

type Parts = Partial<Record<string, string>>;

/**
 * Reads a date or a time as clients write them: ISO 8601, or month/day/year as in the USA
 * (contract/tokens.md#expiration).
 *
 * @returns null for anything else than such a date or time. A date alone is its first moment; without an offset it is UTC.
 */
export function parseExpiresAt(text: string): ExpiresAt | null {
  if (text.length > maxLength) return null;
  const parts: Parts | undefined = (isoFormat.exec(text) ?? usFormat.exec(text))?.groups;
  if (!parts) return null;
  const [year, month, day] = [Number(parts['year']), Number(parts['month']), Number(parts['day'])];
  const hour = hourOf(parts);
  const [minute, second] = [Number(parts['minute'] ?? 0), Number(parts['second'] ?? 0)];
  const offset = offsetOf(parts['offset'] ?? 'Z');
  if (hour === null || offset === null || minute > 59 || second > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC carries February 30 over into March, and reads a year below 100 as of the last century.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  const fraction = (parts['fraction'] ?? '').replace(/0+$/, '');
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const epochMs = date.getTime() + ms - offset.minutes * 60_000;
  if (epochMs > maxEpochMs) return null;
  return {
    epochMs,
    text: `${date.toISOString().slice(0, 19)}${fraction && `.${fraction}`}${offset.text}`,
  };
}

function hourOf(parts: Parts): number | null {
  const hour = Number(parts['hour'] ?? 0);
  if (parts['half'] === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (parts['half'].toUpperCase() === 'PM' ? 12 : 0);
}

function offsetOf(text: string): { readonly minutes: number; readonly text: string } | null {
  if (text.toUpperCase() === 'Z') return { minutes: 0, text: 'Z' };
  const [sign, hours, minutes] = [text.charAt(0), text.slice(1, 3), text.slice(-2)];
  const total = Number(hours) * 60 + Number(minutes);
  if (total > 14 * 60 || Number(minutes) > 59) return null;
  return { minutes: sign === '-' ? -total : total, text: `${sign}${hours}:${minutes}` };
}
