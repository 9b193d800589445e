import { checkAnswer } from './check-answer.ts';

/** `fetch` for clients under test: every answer must be as the API is described. */
export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname, search } = new URL(url);
  const asked = { method: init.method ?? 'GET', target: pathname + search, json: sentJson(init.body) };
  const { status, headers } = response;
  checkAnswer(asked, { status, headers: Object.fromEntries(headers), text: await response.clone().text() });
  return response;
}

function sentJson(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
