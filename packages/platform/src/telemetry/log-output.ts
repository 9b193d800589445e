import { type DestinationStream, pino } from 'pino';

/** Lines are written together once they are this many characters … */
const batchCharacters = 8 * 1024;
/** … or the first of them is this old. */
const longestDelayMs = 50;

/**
 * Writes the lines of a log to a file descriptor, several at a time: a system call for each line costs more than
 * to make it. All are out when the process exits, also by an uncaught error; a process that is killed loses what
 * it logged in its last 50 ms.
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
