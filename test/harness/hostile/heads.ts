import type { HostileCase } from './cases.ts';
import { body, ok, right, sent, sized, wrong } from './sent.ts';

const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

export function statusLines(): HostileCase[] {
  const statuses = Array.from({ length: 143 }, (_, index) => index * 7);
  const refused = [
    ...[
      'HTTP/1.1 20',
      'HTTP/1.1 2000 OK',
      'HTTP/1.1 -20 OK',
      'HTTP/1.1 OK',
      'HTTP/1.1 ',
      'HTTP/1.1',
      'HTTP/',
    ],
    ...['HTTP/1.1 2x0 OK', 'HTTP/9.9 200 OK', 'HTTP/1 200 OK', 'http/1.1 200 OK', 'HTTPS/1.1 200 OK'],
    ...['ICY 200 OK', 'SSH-2.0-OpenSSH', '220 smtp.example ESMTP', '\u0016\u0003\u0001\u0002', '', '\u0000'],
    ...[
      'GET / HTTP/1.1',
      '{"n":1}',
      'PRI * HTTP/2.0',
      '\u00ff\u00fe',
      'H',
      'HTTP/1.1 101 Switching Protocols',
    ],
    ...['HTTP/1.1 099 Low', 'HTTP/1.1 000 None'],
  ];
  return [
    ...statuses.map((status) => {
      const text = `HTTP/1.1 ${String(status).padStart(3, '0')} S\r\nContent-Length: 0\r\n\r\n`;
      if (status < 100 || status === 101) return sent(`status ${status}`, text, wrong);
      if (status < 200) return sent(`status ${status}`, text + ok + sized, right);
      const answer = { status, phrase: 'S', body: '' };
      return sent(`status ${status}`, text, { endings: ['raw'], answer });
    }),
    ...refused.map((line) => sent(`status line ${JSON.stringify(line)}`, `${line}\r\n${sized}`, wrong)),
    ...refused.map((line) => sent(`only ${JSON.stringify(line)}`, line, wrong)),
  ];
}

export function phrases(): HostileCase[] {
  const isAllowed = (byte: string) => /[\t\x20-\x7e\x80-\xff]/.test(byte);
  const long = [100, 5000, 9000, 100_000].map((length) =>
    sent(`phrase of ${length}`, `HTTP/1.1 200 ${'p'.repeat(length)}\r\n${sized}`, {
      endings: ['raw', 'error'],
    }),
  );
  return [
    ...bytes
      .filter((byte) => byte !== '\r' && byte !== '\n')
      .map((byte) => {
        const phrase = isAllowed(byte) ? `a${byte}b` : 'Not Found';
        const answer = { status: 404, phrase, body };
        const name = `phrase with byte ${byte.charCodeAt(0)}`;
        return sent(name, `HTTP/1.1 404 a${byte}b\r\n${sized}`, { endings: ['raw'], answer });
      }),
    ...long,
  ];
}

export function headers(): HostileCase[] {
  const odd = [
    ...[
      ': v',
      ' X: v',
      'X : v',
      'X',
      'X:',
      '\tfolded',
      'Connection: X-A, content-length',
      'Connection: close, \u00ff',
    ],
    ...[
      'Connection: upgrade\r\nUpgrade: websocket',
      'Trailer: X-A',
      'Date: yesterday',
      'Set-Cookie:',
      'TE: trailers',
    ],
    ...[
      'Content-Type: \u00ff/\u00fe',
      'Content-Type: application/json; charset=utf-16',
      'Content-Encoding: gzip',
    ],
    ...[
      'Content-Encoding: br, br, br',
      'Content-Encoding: \u0080',
      'SVC-PROXY-DESTINATION-STATUS: 999',
      'BT-X: 1',
    ],
    ...[
      'SVC-TRACE-ID: forged',
      '__proto__: x',
      'constructor: x',
      'hasOwnProperty: x',
      'Server-Timing: \u00e9',
    ],
    ...[
      'Access-Control-Allow-Origin: \u00e9',
      'Retry-After: -1',
      'Location: \u00e9\u00e9',
      'X-A: a\r\n b',
      'X-A: a\nb',
    ],
  ];
  const counted = [10, 100, 500, 1500, 5000].map((count) =>
    sent(`${count} headers`, ok + 'X-Many: v\r\n'.repeat(count) + sized),
  );
  const long = [1000, 15_000, 17_000, 200_000].flatMap((length) => [
    sent(`header name of ${length}`, `${ok}${'x'.repeat(length)}: v\r\n${sized}`),
    sent(`header value of ${length}`, `${ok}X-Long: ${'v'.repeat(length)}\r\n${sized}`),
  ]);
  return [
    ...bytes.map((byte) =>
      sent(`header name with byte ${byte.charCodeAt(0)}`, `${ok}X-${byte}A: v\r\n${sized}`),
    ),
    ...bytes.map((byte) =>
      sent(`header value with byte ${byte.charCodeAt(0)}`, `${ok}X-A: a${byte}b\r\n${sized}`),
    ),
    ...odd.map((line) => sent(`header ${JSON.stringify(line)}`, `${ok}${line}\r\n${sized}`)),
    ...counted,
    ...long,
  ];
}
