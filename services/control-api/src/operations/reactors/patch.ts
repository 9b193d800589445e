import * as z from 'zod';

import {
  type ReferencePatch,
  patchReference,
  readReferencePatch,
  referenceProblems,
} from '../../applications/reference.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import { type Sent, sentColumns, sentShapes } from '../../fields/sent.ts';
import type { FormulaRow } from '../../formulas/fields.ts';
import {
  type Problems,
  addProblems,
  memberReader,
  readShape,
  resourceName,
  sourceCode,
  textMap,
} from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import { type ReactorRow, reactorFields } from '../../reactors/fields.ts';
import { readEntries, requireDeclared } from '../../reactors/settings.ts';
import {
  type ConfigurationPatch,
  maxPatchEntries,
  namesAfter,
  patchSealed,
} from '../../secrets/patch-configuration.ts';
import type { SealedConfiguration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';
import { fixedProblems } from './schema.ts';

const shapesOf = perLimits((limits) => ({
  readMembers: memberReader(
    z.object({
      ...sentShapes(reactorFields, limits, true),
      name: resourceName(limits).optional(),
      configuration: textMap(limits, maxPatchEntries(limits), z.unknown()).nullish(),
    }),
  ),
  ownCode: z.object({ code: sourceCode(limits).optional() }),
}));

/** A merge patch of a reactor (RFC 7396); undefined members do not change it. */
export interface ReactorPatch {
  readonly name: string | undefined;
  readonly sent: Sent<typeof reactorFields>;
  readonly configuration: ConfigurationPatch | undefined;
  readonly application: ReferencePatch;
  readonly allowedDestinations: readonly string[] | null | undefined;
  /** Of a reactor with code of its own. */
  readonly code: string | undefined;
}

/** Counts only if there were no problems. */
export async function readReactorPatch(
  { postgres, egressPolicy, inputLimits: limits }: Dependencies,
  tenantId: string,
  body: unknown,
  formula: FormulaRow,
  problems: Problems,
): Promise<ReactorPatch> {
  const { readMembers, ownCode } = shapesOf(limits);
  const { name, configuration: given, ...sent } = readMembers(body, problems);
  const application = await readReferencePatch(postgres, tenantId, body, problems);
  const code = formula.inline ? readShape(ownCode, body, problems)?.code : undefined;
  addProblems(problems, fixedProblems(body, formula));
  if (!formula.inline && (body as { readonly formula?: unknown }).formula === null) {
    addProblems(problems, { formula: ['cannot be changed'] });
  }
  const configuration = asText(limits, given, formula, problems);
  const allowedDestinations = readHostList(body, 'allowed_destinations', egressPolicy, problems);
  return { name, sent, configuration, application, allowedDestinations, code };
}

/**
 * Problems that appear only when a patch is merged with the stored reactor. Entries that it does not change are not
 * validated again.
 */
export function meetingProblems(
  current: ReactorRow,
  formula: FormulaRow,
  patch: ReactorPatch,
  limits: InputLimits,
): Problems {
  const problems = referenceProblems(current.application_id, patch.application);
  const { configuration } = patch;
  if (configuration === undefined) return problems;
  const names = namesAfter(Object.keys(current.sealed_configuration), configuration);
  requireDeclared(names, formula.configuration, problems);
  if (names.size > limits.settings) {
    addProblems(problems, { configuration: [`must have at most ${limits.settings} entries`] });
  }
  return problems;
}

/** The same where patch and formula may have become strangers since the patch was read. */
export function lateProblems(
  current: ReactorRow,
  formula: FormulaRow,
  patch: ReactorPatch,
  limits: InputLimits,
): Problems {
  const problems = meetingProblems(current, formula, patch, limits);
  readEntries(limits, patch.configuration ?? {}, formula.configuration, problems);
  return problems;
}

/** @param sealed the entries of the configuration that the patch sets. */
export function patchRow(current: ReactorRow, patch: ReactorPatch, sealed: SealedConfiguration): ReactorRow {
  const { sealed_configuration: before } = current;
  const { configuration } = patch;
  return {
    ...current,
    ...sentColumns(reactorFields, patch.sent, current),
    name: patch.name ?? current.name,
    sealed_configuration: configuration === undefined ? before : patchSealed(before, configuration, sealed),
    application_id: patchReference(current.application_id, patch.application),
    allowed_destinations:
      patch.allowedDestinations === undefined ? current.allowed_destinations : patch.allowedDestinations,
  };
}

/** Values may be sent as numbers and booleans; null stays, for it takes away. */
function asText(
  limits: InputLimits,
  sent: Readonly<Record<string, unknown>> | null | undefined,
  { configuration: declared }: FormulaRow,
  problems: Problems,
): ConfigurationPatch | undefined {
  if (sent == null) return sent;
  const given = new Map(Object.entries(readEntries(limits, sent, declared, problems)));
  return Object.fromEntries(Object.keys(sent).map((name) => [name, given.get(name) ?? null]));
}
