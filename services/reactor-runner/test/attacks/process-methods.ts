import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'ends, signals and opens what its process has',
  target: 'host',
  code: `
    module.exports = () => {
      const reached = [];
      const attempts = {
        binding: () => process.binding('fs'),
        linked: () => process._linkedBinding('x'),
        exit: () => process.exit(1),
        reallyExit: () => process.reallyExit(1),
        abort: () => process.abort(),
        dlopen: () => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'),
        chdir: () => process.chdir('/'),
        setuid: () => process.setuid(0),
        killOther: () => process.kill(process.pid, 'SIGKILL') && false,
        killParent: () => process.kill(process.ppid, 'SIGKILL') && false,
        killAll: () => process.kill(-1, 'SIGKILL') && false,
        debug: () => process._debugProcess(1),
        cause: () => process.causeSegfault(),
        send: () => process.send('x'),
        report: () => process.report.writeReport(),
        builtin: () => process.getBuiltinModule('fs'),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          if (attempt() !== false) reached.push(name);
        } catch {}
      }
      return reached;
    };`,
  expectation: { returns: [] },
};
