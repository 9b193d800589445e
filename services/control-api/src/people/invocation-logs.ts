/** What code of tenants wrote to its log. The runner implements it. */
export interface InvocationLogs {
  /**
   * Of one request, the newest run first.
   * @param ownerId of the proxy or reactor
   * @returns JSON text of a list (contract/reactors.md#invocation-logs)
   * @throws AppError `not_found`, `unavailable`
   */
  read(
    of: { readonly tenantId: string; readonly ownerId: string; readonly traceId: string },
    correlationId: string,
  ): Promise<string>;
}
