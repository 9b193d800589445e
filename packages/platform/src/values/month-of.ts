/**
 * SQL for the first day of the month that a moment is in, by UTC.
 *
 * @param moment SQL for a timestamptz
 */
export function monthOf(moment: string): string {
  return `date_trunc('month', ${moment} AT TIME ZONE 'UTC')::date`;
}
