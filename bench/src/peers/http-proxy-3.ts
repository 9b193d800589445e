/** http-proxy-3 as a plain reverse proxy. Arguments: port to listen on, port of the destination. */
import { Agent, createServer } from 'node:http';

import { createProxyServer } from 'http-proxy-3';

const [port, destination] = process.argv.slice(2).map(Number);
const proxy = createProxyServer({
  target: `http://127.0.0.1:${destination}`,
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
});
proxy.on('error', (_error, _request, response) => response.destroy());
createServer((request, response) => proxy.web(request, response)).listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit());
