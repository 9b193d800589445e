const folders = [
  'assert/',
  'internal/assert/',
  'internal/console/',
  'internal/crypto/',
  'internal/per_context/',
  'internal/streams/',
  'internal/util/',
  'path/',
  'stream/',
  'timers/',
  'util/',
];

const libraryModules = [
  '_http_agent',
  '_http_client',
  '_http_common',
  '_http_incoming',
  '_http_outgoing',
  '_stream_duplex',
  '_stream_passthrough',
  '_stream_readable',
  '_stream_transform',
  '_stream_writable',
  'assert',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'events',
  'https',
  'os',
  'path',
  'punycode',
  'querystring',
  'stream',
  'string_decoder',
  'sys',
  'timers',
  'url',
  'util',
  'zlib',
  'internal/abort_controller',
  'internal/assert',
  'internal/blob',
  'internal/buffer',
  'internal/cli_table',
  'internal/constants',
  'internal/encoding',
  'internal/errors',
  'internal/event_target',
  'internal/fixed_queue',
  'internal/freelist',
  'internal/http',
  'internal/idna',
  'internal/linkedlist',
  'internal/net',
  'internal/priority_queue',
  'internal/process/per_thread',
  'internal/process/warning',
  'internal/querystring',
  'internal/stream_base_commons',
  'internal/timers',
  'internal/url',
  'internal/util',
  'internal/validators',
];

const taken = new Set(libraryModules);

/** Which modules of Node's library are taken. The rest needs files, processes, sockets or the engine's own interfaces. */
export function isTaken(name: string): boolean {
  return taken.has(name) || folders.some((folder) => name.startsWith(folder));
}

/** Changes when other modules are taken. */
export const libraryKey = [...folders, ...libraryModules].join();
