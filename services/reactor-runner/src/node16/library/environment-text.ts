import * as bufferSearch from '../isolate/bindings/buffer-search.ts';
import * as buffer from '../isolate/bindings/buffer.ts';
import * as cryptoCertificates from '../isolate/bindings/crypto/certificates.ts';
import * as crypto from '../isolate/bindings/crypto/crypto.ts';
import * as cryptoExchange from '../isolate/bindings/crypto/exchange.ts';
import * as cryptoJobs from '../isolate/bindings/crypto/jobs.ts';
import * as cryptoKeys from '../isolate/bindings/crypto/keys.ts';
import * as cryptoStreams from '../isolate/bindings/crypto/streams.ts';
import * as cryptoWeb from '../isolate/bindings/crypto/web.ts';
import * as icu from '../isolate/bindings/icu.ts';
import * as messaging from '../isolate/bindings/messaging.ts';
import * as plain from '../isolate/bindings/plain.ts';
import * as stringDecoder from '../isolate/bindings/string-decoder.ts';
import * as timers from '../isolate/bindings/timers.ts';
import * as types from '../isolate/bindings/types.ts';
import * as url from '../isolate/bindings/url.ts';
import * as util from '../isolate/bindings/util.ts';
import * as zlib from '../isolate/bindings/zlib.ts';
import * as bridge from '../isolate/bridge.ts';
import * as native from '../isolate/codecs/native.ts';
import * as units from '../isolate/codecs/units.ts';
import * as utf8 from '../isolate/codecs/utf8.ts';
import * as environment from '../isolate/environment.ts';
import * as httpHead from '../isolate/network/http-head.ts';
import * as httpParser from '../isolate/network/http-parser.ts';
import * as networkBindings from '../isolate/network/network-bindings.ts';
import * as network from '../isolate/network/network.ts';
import * as sockets from '../isolate/network/sockets.ts';
import * as tcp from '../isolate/network/tcp.ts';
import * as tlsCredentials from '../isolate/network/tls-credentials.ts';
import * as tlsSocket from '../isolate/network/tls-socket.ts';
import * as tls from '../isolate/network/tls.ts';
import * as blob from '../isolate/node/blob.ts';
import * as hostJobs from '../isolate/node/host-jobs.ts';
import * as packages from '../isolate/node/packages.ts';
import * as performance from '../isolate/node/performance.ts';
import * as phases from '../isolate/node/phases.ts';
import * as process from '../isolate/node/process.ts';
import * as registry from '../isolate/node/registry.ts';
import * as rejections from '../isolate/node/rejections.ts';
import * as standIns from '../isolate/node/stand-ins.ts';
import * as structuredClone from '../isolate/node/structured-clone.ts';
import * as substitutes from '../isolate/node/substitutes.ts';
import * as tickQueue from '../isolate/node/tick-queue.ts';

const rooms = [
  blob,
  bridge,
  buffer,
  bufferSearch,
  crypto,
  cryptoCertificates,
  cryptoExchange,
  cryptoJobs,
  cryptoKeys,
  cryptoStreams,
  cryptoWeb,
  hostJobs,
  httpHead,
  httpParser,
  network,
  networkBindings,
  sockets,
  tcp,
  tls,
  tlsCredentials,
  tlsSocket,
  zlib,
  icu,
  messaging,
  plain,
  stringDecoder,
  timers,
  types,
  url,
  util,
  native,
  units,
  utf8,
  environment,
  packages,
  performance,
  phases,
  process,
  registry,
  rejections,
  standIns,
  structuredClone,
  substitutes,
  tickQueue,
];

/**
 * The functions of `isolate/` as one text whose value is `makeEnvironment`. They refer to each other by name, and
 * to nothing else but the language: their files hold functions and types only.
 */
export function environmentText(): string {
  const functions = rooms
    .flatMap((room): unknown[] => Object.values(room))
    .filter((value) => typeof value === 'function');
  return `(function () { 'use strict';\n${functions.map(String).join('\n')}\nreturn makeEnvironment; })()`;
}
