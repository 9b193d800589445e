/**
 * The rooms of each workspace, from the top to the bottom: a room may import those below it and no room above it. A room is
 * a folder under `src`, `.` the files of `src` itself; the longest name that fits is the room of a file.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/platform': [
    'grpc',
    'calls',
    'db',
    'process',
    'http',
    'redaction',
    'telemetry',
    'settings',
    'errors',
    'values',
  ],
  'services/control-api': [
    '.',
    'transport',
    'documentation',
    'peers',
    'operations',
    'tenants',
    'reactors',
    'formulas',
    'proxies',
    'webhooks',
    'invitations',
    'applications',
    'code',
    'publication',
    'audit',
    'events',
    'secrets',
    'http',
    'store',
    'limits',
  ],
};
