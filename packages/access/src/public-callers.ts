/**
 * By what the requests of one tenant that anybody can send are counted: those with keys of public applications, and those
 * without a key. They have limits of their own, so that they never use up those of the tenant's services.
 */
export function publicCallersOf(tenantId: string): string {
  return `${tenantId} strangers`;
}
