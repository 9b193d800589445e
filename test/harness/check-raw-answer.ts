import { checkAnswer } from './check-answer.ts';

/** Compares what came back on a raw connection with how the API is described. */
export function checkRawAnswer(sent: string, text: string): void {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const answer = { status, headers, text: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString() };
  const [, method = 'GET', target = '/'] = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(sent) ?? [];
  checkAnswer({ method, target, json: undefined }, answer);
}
