import { classifyAddress } from '@glovebox/egress/address-policy';
import { acceptedHeaders, outboundHeaders, responseHeaders } from '@glovebox/egress/headers';
import { PublishedRecord } from '@glovebox/protos/published/v1/published';
import { ExchangeRequest, ExchangeResponse } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';
import fc from 'fast-check';

import { type Target, target } from './target.ts';

const hop = [
  'Connection',
  'Keep-Alive',
  'Proxy-Connection',
  'Proxy-Authorization',
  'Proxy-Authenticate',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'HTTP2-Settings',
];
const own = ['SVC-API-KEY', 'BT-API-KEY', 'SVC-PROXY-KEY', 'svc-anything', 'SVC-TRACE-ID', 'BT-TRACE-ID'];
const plain = ['Accept', 'X-One', 'X_Two', 'Authorization', 'X-Svc-A', 'SVCX', 'Bt', 'x.y'];
const framing = ['Host', 'Content-Length', 'Expect'];
const mixedCase = fc
  .tuple(fc.constantFrom(...hop, ...own, ...plain, ...framing), fc.nat())
  .map(([name, bits]) =>
    [...name]
      .map((letter, at) => ((bits >> (at % 30)) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      .join(''),
  );
const headerValue = fc.oneof(
  fc.constantFrom('close', 'keep-alive', 'x-one, close', ' X_Two ,accept', 'svc-trace-id', ''),
  fc.string({ maxLength: 6 }),
);

/** RFC 9110, 7.6.1, and contract/proxies.md: by looking at each name again for each rule. */
function passes(kind: 'in' | 'out' | 'back', name: string, listed: readonly string[]): boolean {
  const lower = name.toLowerCase();
  const isOneOf = (names: readonly string[]) => names.some((one) => one.toLowerCase() === lower);
  if (isOneOf(hop) || listed.includes(lower)) return false;
  if (kind !== 'back' && isOneOf(framing)) return false;
  if (/^(svc|bt)-/.test(lower)) return kind !== 'back' && /^(svc|bt)-trace-id$/.test(lower);
  return kind !== 'in' || /^[\w-]+$/.test(name);
}

const headers = target(
  'header rules against a model',
  "nothing hop-by-hop, nothing that Connection lists and none of the service's names passes, and all else does",
  150,
  fc.array(fc.tuple(mixedCase, headerValue), { maxLength: 6 }),
  (pairs) => {
    const listed = pairs
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, text]) => text.split(',').map((part) => part.trim().toLowerCase()));
    for (const [kind, of] of [
      ['in', acceptedHeaders],
      ['out', outboundHeaders],
      ['back', responseHeaders],
    ] as const)
      expect(of(pairs.flat())).to.deep.equal(pairs.filter(([name]) => passes(kind, name, listed)).flat());
  },
);

const messages = { ExchangeRequest, ExchangeResponse, PublishedRecord };
const frame = ExchangeRequest.encode({
  calls: [
    {
      id: 1,
      timeoutMs: 100,
      apiKey: 'key',
      delegation: undefined,
      traceparent: 'x',
      correlationId: 'y',
      operation: { $case: 'getToken', value: { tokenId: 'a' } },
    },
  ],
  cancelled: [2],
}).finish();
const bytes = fc.oneof(
  fc.array(fc.nat({ max: 255 }), { maxLength: 40 }),
  fc
    .tuple(fc.nat({ max: frame.length - 1 }), fc.nat({ max: 255 }), fc.nat({ max: frame.length }))
    .map(([at, byte, length]) => [...frame.with(at, byte).subarray(0, Math.max(1, length))]),
);

const frames = target(
  'frames of gRPC',
  'any bytes are a message or an error at once, and what was read is read again from what is written of it',
  100,
  fc.record({
    type: fc.constantFrom<keyof typeof messages>('ExchangeRequest', 'ExchangeResponse', 'PublishedRecord'),
    bytes,
  }),
  ({ type, bytes: all }) => {
    const message = messages[type];
    let read;
    try {
      read = message.decode(Uint8Array.from(all));
    } catch (error) {
      expect(error).to.be.instanceOf(Error);
      return;
    }
    const written = (message.encode as (value: unknown) => { finish(): Uint8Array })(read).finish();
    expect(message.decode(written)).to.deep.equal(read);
  },
);

/** RFC 6890 and what else is not public, as ranges of whole numbers. */
const notPublic: readonly (readonly [string, number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
  ] as const),
  ...([
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
];
const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const addresses = target(
  'addresses against a model',
  'no address of a range that is not public is allowed, nor any that carries another one',
  75,
  fc.oneof(
    fc
      .tuple(fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }))
      .map((parts) => parts.join('.')),
    fc.tuple(fc.constantFrom(...notPublic), fc.nat({ max: 2 ** 24 - 1 })).map(([[base], more]) => {
      const whole = numberOf(base) + more;
      return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join('.');
    }),
  ),
  (address) => {
    const isClosed = notPublic.some(
      ([base, bits]) =>
        Math.floor(numberOf(address) / 2 ** (32 - bits)) === Math.floor(numberOf(base) / 2 ** (32 - bits)),
    );
    const verdict = classifyAddress(address);
    if (isClosed) expect(verdict).to.not.equal('allow-public');
    for (const around of [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`])
      expect(classifyAddress(around), around).to.not.equal('allow-public');
  },
);

export const wire: readonly Target[] = [headers, frames, addresses];
