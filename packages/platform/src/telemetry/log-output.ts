import { type DestinationStream, pino } from 'pino';

/** Lines are written together when they are this many characters … */
const batchCharacters = 8 * 1024;
/** … or the first of them is this old. */
const longestDelayMs = 50;

/**
 * Writes log lines to a file descriptor in batches: a system call per line costs more than making it. All lines are
 * out when the process exits, also after an uncaught error. A killed process loses its last 50 ms.
 */
export function createLogOutput(fd: number): DestinationStream {
  const file = pino.destination({ dest: fd, sync: true });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = lines;
    lines = '';
    if (batch !== '') file.write(batch);
  };
  process.on('exit', flush);
  return {
    write(line) {
      lines += line;
      if (lines.length >= batchCharacters) flush();
      else timer ??= setTimeout(flush, longestDelayMs).unref();
    },
  };
}
