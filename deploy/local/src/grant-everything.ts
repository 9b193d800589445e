import { StartProblem } from './problem.ts';

interface Application {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/**
 * Gives the development tenant's management application every permission of its type: a newer version may have some
 * that it was created without.
 */
export async function grantEverything(baseUrl: string, managementKey: string): Promise<void> {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { 'SVC-API-KEY': managementKey, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) return await answer.json();
    throw new StartProblem(
      `the development tenant could not be given every permission (${path} answered ${answer.status})`,
      'See .glovebox/logs/control-api.log.',
    );
  };
  const known = (await ask('/permissions?application_type=management')) as { type: string }[];
  const { id, name, permissions } = (await ask('/applications/key')) as Application;
  const every = known.map(({ type }) => type);
  if (every.every((one) => permissions.includes(one))) return;
  await ask(`/applications/${id}`, { name, permissions: every });
}
