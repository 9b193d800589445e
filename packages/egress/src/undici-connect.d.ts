/** The part of undici that makes connections, without the rest of it: loading all takes a third of a worker's start. */
declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';

  export default function build(options?: buildConnector.BuildOptions): buildConnector.connector;
}
