/**
 * SQL for the first day of a moment's month, in UTC.
 * @param moment SQL for a timestamptz
 */
export function monthOf(moment: string): string {
  return `date_trunc('month', ${moment} AT TIME ZONE 'UTC')::date`;
}
