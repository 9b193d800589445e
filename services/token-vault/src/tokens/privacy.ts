import { isJsonObject, type JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';

const classifications: readonly string[] = ['general', 'bank', 'pci', 'pii'];
const impactLevels: readonly string[] = ['low', 'moderate', 'high'];

/** The container of an older client's privacy (contract/tenants.md#containers and contract/choices.md#privacy). */
export function containerOfPrivacy(
  value: JsonValue | undefined,
  defaultContainer: string,
  report: ReportProblem,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    report('privacy', 'must be an object');
    return undefined;
  }
  const [, defaultClassification = '', defaultImpact = ''] = defaultContainer.split('/');
  const classification = choose(value['classification'], classifications, defaultClassification);
  const impact = choose(value['impact_level'], impactLevels, defaultImpact);
  if (classification === null)
    report('privacy.classification', `must be one of ${classifications.join(', ')}`);
  if (impact === null) report('privacy.impact_level', `must be one of ${impactLevels.join(', ')}`);
  return classification === null || impact === null ? undefined : `/${classification}/${impact}/`;
}

function choose(value: JsonValue | undefined, allowed: readonly string[], otherwise: string): string | null {
  if (value === undefined || value === null) return otherwise;
  return typeof value === 'string' && allowed.includes(value) ? value : null;
}

/** The classification stays. A container that privacy cannot express stays as it is. */
export function movedByPrivacy(
  value: JsonValue | undefined,
  container: string,
  report: ReportProblem,
): string {
  const [, classification = '', impact = '', ...deeper] = container.split('/');
  const isPlain = classifications.includes(classification) && impactLevels.includes(impact);
  const moved = containerOfPrivacy(value, container, report) ?? container;
  if (!isPlain || deeper.join('') !== '') return container;
  if (!moved.startsWith(`/${classification}/`)) report('privacy.classification', 'cannot be changed');
  return moved;
}
