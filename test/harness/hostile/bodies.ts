import { type HostileCase, rightAnswers } from './cases.ts';
import { body, json, ok, right, sent, sized, wrong } from './sent.ts';

const chunked = `${ok}${json}Transfer-Encoding: chunked\r\n\r\n`;
const interim = 'HTTP/1.1 100 Continue\r\n\r\n';

export function lengths(): HostileCase[] {
  const values = [
    ...[
      '0',
      '6',
      '8',
      '00007',
      '7 ',
      ' 7',
      '+7',
      '-1',
      '7.0',
      '0x7',
      '7, 7',
      '7,8',
      '',
      ' ',
      'seven',
      '1e3',
      '\u0667',
    ],
    ...['9007199254740993', '18446744073709551616', `1${'0'.repeat(300)}`],
  ];
  const twice = ['7', '8', '0'].map((second) => `Content-Length: 7\r\nContent-Length: ${second}`);
  const encodings = [
    'chunked',
    'Chunked',
    'gzip',
    'identity',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    '',
  ];
  return [
    ...values.map((value) =>
      sent(`length ${value.slice(0, 30)}`, `${ok}${json}Content-Length: ${value}\r\n\r\n${body}`),
    ),
    ...twice.map((lines) => sent(lines, `${ok}${json}${lines}\r\n\r\n${body}`)),
    ...encodings.flatMap((encoding) => [
      sent(
        `transfer encoding ${encoding}`,
        `${ok}${json}Transfer-Encoding: ${encoding}\r\n\r\n7\r\n${body}\r\n0\r\n\r\n`,
      ),
      sent(`${encoding} with a length`, `${ok}Transfer-Encoding: ${encoding}\r\n${sized}`),
      sent(
        `${encoding} with a length after it, more`,
        `${ok}Content-Length: 3\r\nTransfer-Encoding: ${encoding}\r\n\r\n${body}`,
      ),
    ]),
    sent('204 with content', `HTTP/1.1 204 None\r\n${sized}`, { endings: ['raw'] }),
    sent('304 with content', `HTTP/1.1 304 Same\r\n${sized}`, { endings: ['raw'] }),
    sent('205 with content', `HTTP/1.1 205 Reset\r\n${sized}`),
    sent('a byte more than announced', `${ok}${sized}x`, right),
    sent('a megabyte more than announced', `${ok}${sized}${'x'.repeat(1_000_000)}`, right),
  ];
}

export function chunks(): HostileCase[] {
  const bodies = [
    ...[
      '',
      '0\r\n',
      '0\r\n\r',
      '-1\r\nx\r\n0\r\n\r\n',
      '0x7\r\n{"n":1}\r\n0\r\n\r\n',
      'g\r\nx\r\n0\r\n\r\n',
      '\r\n\r\n',
    ],
    ...[
      '7\n{"n":1}\n0\n\n',
      '7\r\n{"n":1}0\r\n\r\n',
      '7\r\n{"n":1}\r\n',
      '6\r\n{"n":1}\r\n0\r\n\r\n',
      '8\r\n{"n":1}\r\n0\r\n\r\n',
    ],
    ...[
      'ffffffffffffffff\r\nx',
      '10000000000000000\r\nx',
      `${'0'.repeat(5000)}7\r\n${body}\r\n0\r\n\r\n`,
      '7 \r\n{"n":1}\r\n0\r\n\r\n',
    ],
    ...[
      ';\r\n',
      '7;\r\n{"n":1}\r\n0\r\n\r\n',
      '7;a="\r\n{"n":1}\r\n0\r\n\r\n',
      '7;\u00ff\u0000=\u0001\r\n{"n":1}\r\n0\r\n\r\n',
    ],
    ...[
      `7;${'e'.repeat(100_000)}\r\n${body}\r\n0\r\n\r\n`,
      `7;${'e;'.repeat(10_000)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ...[
      `7\r\n${body}\r\n0\r\nX: v\r\n\r\n`,
      `7\r\n${body}\r\n0\r\n: v\r\n\r\n`,
      `7\r\n${body}\r\n0\r\nX\r\n\r\n`,
    ],
    ...[
      `7\r\n${body}\r\n0\r\nContent-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\n`,
      `7\r\n${body}\r\n0\r\nX: \u0000\r\n\r\n`,
    ],
    ...[
      `7\r\n${body}\r\n0\r\n${'X: v\r\n'.repeat(5000)}\r\n`,
      `7\r\n${body}\r\n0\r\nX: ${'v'.repeat(100_000)}\r\n\r\n`,
    ],
    ...[
      `${'1\r\n1\r\n'.repeat(20_000)}0\r\n\r\n`,
      `7\r\n${body}\r\n0\r\nConnection: close\r\nKeep-Alive: timeout=0\r\n\r\n`,
    ],
  ];
  return bodies.map((text, index) =>
    sent(`chunks ${index}: ${JSON.stringify(text.slice(0, 40))}`, chunked + text),
  );
}

export function floods(): HostileCase[] {
  const many = (count: number, text: string, rest: Parameters<typeof sent>[2]) =>
    sent(`${count} times ${JSON.stringify(text.slice(0, 40))}`, text.repeat(count) + ok + sized, rest);
  return [
    many(50, interim, right),
    many(100, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', right),
    many(101, interim, wrong),
    many(20_000, interim, wrong),
    many(20_000, 'HTTP/1.1 102 Processing\r\n\r\n', wrong),
    many(50, `HTTP/1.1 103 E\r\nLink: ${'l'.repeat(4000)}\r\n\r\n`, wrong),
    many(1000, '\r\n', { endings: ['raw', 'error'] }),
    many(1, 'HTTP/1.1 100 Continue\r\nContent-Length: 7\r\nConnection: close\r\n\r\n', right),
    many(1, 'HTTP/1.1 100 Continue\nX: y\n\n', { endings: ['error', 'raw'] }),
    many(1, 'HTTP/1.1 199 \u0000\u00ff\r\nTransfer-Encoding: chunked\r\n\r\n', right),
    many(1, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', wrong),
    { ...sent('interim answers for ever', ''), pieces: Array<string>(200).fill(interim), ...wrong },
  ];
}

export function timing(): HostileCase[] {
  const slow = rightAnswers.map((one): HostileCase => {
    return {
      name: `${one.name}, byte by byte`,
      pieces: [...one.text],
      afterwards: one.afterwards,
      endings: ['raw'],
      answer: one,
    };
  });
  const lies = [
    'timeout=0',
    'timeout=-5',
    'timeout=99999999999999999999',
    'timeout=x',
    'max=0',
    '\u00ff',
    '',
  ].map((value) =>
    sent(`Keep-Alive: ${value}`, `${ok}Connection: keep-alive\r\nKeep-Alive: ${value}\r\n${sized}`, {
      ...right,
      afterwards: 'keep',
    }),
  );
  const shut = (['end', 'reset'] as const).map((afterwards) =>
    sent(`promises to stay, then ${afterwards}`, `${ok}Connection: keep-alive\r\n${sized}`, {
      afterwards,
      ...(afterwards === 'end' ? right : { endings: ['raw', 'error', 'cut'], answer: right.answer }),
    }),
  );
  return [
    ...slow,
    ...lies,
    ...shut,
    sent('promises to leave, then stays', `${ok}Connection: close\r\n${sized}`, {
      ...right,
      afterwards: 'keep',
    }),
    sent('answers twice', `${ok}${sized}${ok}${sized}`, { ...right, afterwards: 'keep' }),
    sent('answers twice, the second a moment later', '', {
      ...right,
      pieces: [ok + sized, ok + sized],
      afterwards: 'keep',
    }),
    sent('says more a moment later', '', {
      ...right,
      pieces: [ok + sized, 'HTTP/1.1 4'],
      afterwards: 'keep',
    }),
    { name: 'ends at once', pieces: [], afterwards: 'end', ...wrong },
    { name: 'resets at once', pieces: [], afterwards: 'reset', ...wrong },
  ];
}
