let second = 0;
let upToSecond = '';

/** The time of a log line as pino wants it: `,"time":"2026-11-21T09:22:57.125Z"`. Formats a date once a second. */
export function logTime(now: number = Date.now()): string {
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    upToSecond = new Date(now).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${upToSecond}${String(milliseconds).padStart(3, '0')}Z"`;
}
