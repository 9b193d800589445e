import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the simulated fleet: it answers each message with one. */
export interface FleetProcess extends Disposable {
  readonly pid: number;
  ask<Answer>(question: object): Promise<Answer>;
  kill(): void;
}

/** Starts a program of this folder and waits for its first message. */
export async function startProcess(program: string, args: readonly string[]): Promise<FleetProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, program), [...args], {
    execArgv: ['--conditions=source'],
  });
  await once(child, 'message');
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: object) {
      const answered = once(child, 'message');
      child.send(question);
      const [answer] = await answered;
      return answer as Answer;
    },
    kill: () => void child.kill('SIGKILL'),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** Answers questions of the process that started this one, one after another. */
export function answerQuestions(answer: (question: never) => Promise<object> | object): void {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as never)).then((reply) => process.send?.(reply));
  });
  process.send?.({});
}
