const format =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:([Zz])|([+ -])(\d\d):?(\d\d))?)?$/;

/**
 * A date or date-time of ISO 8601 as microseconds since the epoch; without an offset it is UTC, and a date is its first
 * moment. A plus sign may have become a space on its way through a query. Undefined for anything else, and before 1970.
 */
export function parseMoment(text: string): number | undefined {
  const match = format.exec(text);
  if (match === null) return undefined;
  const [
    ,
    day = '',
    minute = '00:00',
    second = '00',
    fraction = '',
    ,
    sign = '+',
    hours = '00',
    minutes = '00',
  ] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const date = new Date(`${day}T${minute}:${second}Z`);
  // Date carries February 30 over into March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const micros = (date.getTime() - offset) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  return micros < 0 ? undefined : micros;
}

/** With microseconds, so that parsing it gives the same moment. */
export function showMoment(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
