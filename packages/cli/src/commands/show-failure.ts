import { ApiError } from '../api/api-error.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Output } from '../terminal/output.ts';

/** Says on standard error why a command failed. @param usage how the command is used */
export function showFailure(error: unknown, usage: string, out: Output): void {
  if (error instanceof UsageError) {
    const message = error.message === '' ? 'wrong arguments' : error.message;
    out.failure({ code: 'usage', message }, `${message}\nusage: ${usage}`);
  } else if (error instanceof ApiError) {
    const { code, message, docUrl, traceId, problems, status } = error;
    const shown = { code, message, status, errors: problems, doc_url: docUrl, trace_id: traceId };
    out.failure(shown, textOf(error));
  } else if (error instanceof CliError) {
    out.failure({ code: 'failed', message: error.message }, error.message);
  } else {
    const { stack = '' } = error instanceof Error ? error : new Error(String(error));
    out.failure({ code: 'bug', message: stack }, `this is a bug of glovebox, please report it:\n${stack}`);
  }
}

function textOf({ code, message, docUrl, traceId, problems }: ApiError): string {
  const places = Object.entries(problems).map(
    ([path, list]) => `  ${path}: ${[list].flat().map(String).join('; ')}`,
  );
  const links = [docUrl, traceId === undefined ? undefined : `trace id ${traceId}`];
  return [`${code}: ${message}`, ...places, ...links.filter((line) => line !== undefined)].join('\n');
}
