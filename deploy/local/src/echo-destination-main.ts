import { createEchoDestination } from './echo-destination.ts';

// `localhost` is both addresses; a machine without IPv6 has only the first.
const servers = ['127.0.0.1', '::1'].map((host) => {
  const server = createEchoDestination();
  if (host === '::1') server.on('error', () => {});
  return server.listen(Number(process.env['DESTINATION_PORT']), host);
});

process.once('SIGTERM', stop);
process.once('disconnect', stop);

function stop(): void {
  for (const server of servers) server.close();
  process.exit();
}
