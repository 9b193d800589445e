import { startCallStreamServer } from './call-stream-echo.ts';

/** A server in a process of its own, to be killed: answers `hang` never, `count` with how many calls it got. */
let received = 0;
const server = await startCallStreamServer(
  async (calls) => {
    received += calls.length;
    for (const inbound of calls) {
      const { id, text } = inbound.call;
      if (text === 'count') inbound.reply({ id, text: `${received} calls` });
      if (text === 'echo') inbound.reply({ id, text });
    }
    if (calls.some(({ unanswered }) => unanswered)) await Promise.withResolvers<void>().promise;
  },
  { port: Number(process.argv[2]), host: process.argv[3] ?? '127.0.0.1' },
);
process.send?.({ port: server.port });
