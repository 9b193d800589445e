import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'writes to the file descriptor of the channel to the runner',
  target: 'host',
  code: `
    const { Readable, Writable } = require('stream');
    module.exports = () => {
      const frame = Buffer.from([13, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      const reached = [];
      for (const stream of [process.stdout, process.stderr]) {
        stream.fd = 3;
        stream._handle = { fd: 3 };
        stream.write(frame);
        stream.write(frame.toString('latin1'));
      }
      const attempts = {
        writable: () => new Writable({ fd: 3 }).write(frame),
        readable: () => new Readable({ fd: 3 }).read(),
        fs: () => require('fs').writeSync(3, frame),
        tty: () => new (require('tty').WriteStream)(3),
        socket: () => new (require('net').Socket)({ fd: 3 }).write(frame),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          attempt();
          reached.push(name);
        } catch {}
      }
      if (process.channel !== undefined || process.stdin.fd !== 0) reached.push('channel');
      return reached;
    };`,
  expectation: { returns: [] },
};
