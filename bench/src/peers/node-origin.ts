/** The destination where there is no nginx. Argument: port to listen on. */
import { createServer } from 'node:http';

const body = '{"ok":true}';
createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
