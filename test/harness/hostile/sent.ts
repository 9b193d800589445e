import type { Ending, HostileCase } from './cases.ts';

export const ok = 'HTTP/1.1 200 OK\r\n';
export const json = 'Content-Type: application/json\r\n';
export const body = '{"n":1}';
/** What follows a status line and headers: the rest of an answer with that body. */
export const sized = `${json}Content-Length: ${body.length}\r\n\r\n${body}`;

/** One that is sent in one piece; by default the connection ends afterwards, and any ending will do. */
export function sent(name: string, text: string, rest: Partial<Omit<HostileCase, 'name'>> = {}): HostileCase {
  const any: readonly Ending[] = ['raw', 'error', 'cut'];
  return { name, pieces: [text], afterwards: 'end', endings: any, ...rest };
}

export const right = { endings: ['raw'], answer: { status: 200, body } } as const;
export const wrong = { endings: ['error'] } as const;
