import { BadOperation, type Operations } from './arguments.ts';
import { asOlderOpenssl } from './openssl-errors.ts';

/** What crosses back: a value, or a failure as plain data. */
interface Answer {
  readonly v?: unknown;
  readonly e?: { readonly name: string; readonly message: string; readonly fields: Record<string, unknown> };
}

/** Fields of an error that user code may see; stacks and causes show the host. */
const shownFields = [
  'code',
  'errno',
  'syscall',
  'hostname',
  'address',
  'port',
  'library',
  'reason',
  'function',
  'opensslErrorStack',
  'input',
];

/** The one function that the isolate calls. An error of an operation is returned as data. */
export function makeBridge(operations: Operations): (operation: unknown, ...args: unknown[]) => Answer {
  return (name, ...args) => {
    try {
      const operation =
        typeof name === 'string' && Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (operation === undefined) throw new BadOperation('there is no such operation');
      return { v: operation(...args) };
    } catch (error) {
      return { e: failureOf(error) };
    }
  };
}

/** An error as plain data, without anything about the host. */
export function failureOf(error: unknown): NonNullable<Answer['e']> {
  if (!(error instanceof Error)) return { name: 'Error', message: 'The operation failed.', fields: {} };
  const fields: Record<string, unknown> = {};
  for (const field of shownFields) {
    const value: unknown = Reflect.get(error, field);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    const isTexts = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    if (isPlain || isTexts) fields[field] = value;
  }
  const older = asOlderOpenssl(error);
  return {
    name: older?.name ?? error.name,
    message: older?.message ?? error.message,
    fields: { ...fields, ...older?.fields },
  };
}
