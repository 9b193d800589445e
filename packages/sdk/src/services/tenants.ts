import type { CallOptions, Send } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { Page } from '../models/page.ts';
import type {
  TrafficReport,
  EncryptionKeysReport,
  EgressPolicy,
  InvitationQuery,
  MemberQuery,
  OperationsReport,
  Tenant,
  TenantInvitation,
  TenantMember,
  TenantRole,
  UpdateEgressPolicy,
  UpdateTenant,
  UsageReport,
} from '../models/tenant.ts';
import { path } from '../path.ts';

/** The tenant that the API key belongs to. */
export class Tenants {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async retrieve(options?: CallOptions): Promise<Tenant> {
    return this.#send({ method: 'GET', path: '/tenants/self/' }, options);
  }

  async update(model: UpdateTenant, options?: CallOptions): Promise<Tenant> {
    return this.#send({ method: 'PUT', path: '/tenants/self/', body: model }, options);
  }

  async delete(options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: '/tenants/self/' }, options);
  }

  async retrieveEgressPolicy(options?: CallOptions): Promise<EgressPolicy> {
    return this.#send({ method: 'GET', path: '/tenants/self/egress-policy' }, options);
  }

  async updateEgressPolicy(model: UpdateEgressPolicy, options?: CallOptions): Promise<EgressPolicy> {
    return this.#send({ method: 'PUT', path: '/tenants/self/egress-policy', body: model }, options);
  }

  /** The keys of its metrics are converted too. */
  async retrieveUsageReport(options?: CallOptions): Promise<UsageReport> {
    return this.#send({ method: 'GET', path: '/tenants/self/reports/usage' }, options);
  }

  /** Counts of operations, by month. */
  async retrieveOperationsReport(options?: CallOptions): Promise<OperationsReport> {
    return this.#send({ method: 'GET', path: '/tenants/self/reports/operations' }, options);
  }

  /** Ages, seals and rotations of the tenant's encryption keys. */
  async retrieveEncryptionKeysReport(options?: CallOptions): Promise<EncryptionKeysReport> {
    return this.#send({ method: 'GET', path: '/tenants/self/reports/encryption-keys' }, options);
  }

  /** Requests, errors and times of the tenant, over time. */
  async retrieveTrafficReport(
    query: { readonly period?: 'hour' | 'day' | 'week' | 'month' | undefined } = {},
    options?: CallOptions,
  ): Promise<TrafficReport> {
    return this.#send({ method: 'GET', path: '/tenants/self/reports/traffic', query }, options);
  }

  async createInvitation(
    model: { readonly email: string; readonly role?: TenantRole | undefined },
    options?: CallOptions,
  ): Promise<TenantInvitation> {
    return this.#send({ method: 'POST', path: '/tenants/self/invitations', body: model }, options);
  }

  async resendInvitation(id: string, options?: CallOptions): Promise<TenantInvitation> {
    return this.#send(
      { method: 'POST', path: path`/tenants/self/invitations/${id}/resend`, body: {} },
      options,
    );
  }

  async listInvitations(query?: InvitationQuery, options?: CallOptions): Promise<Page<TenantInvitation>> {
    const call = { method: 'GET', path: '/tenants/self/invitations', query } as const;
    return this.#send({ ...call, received: pageOf(everything) }, options);
  }

  async retrieveInvitation(id: string, options?: CallOptions): Promise<TenantInvitation> {
    return this.#send({ method: 'GET', path: path`/tenants/self/invitations/${id}` }, options);
  }

  async deleteInvitation(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/tenants/self/invitations/${id}` }, options);
  }

  async listMembers(query?: MemberQuery, options?: CallOptions): Promise<Page<TenantMember>> {
    const call = { method: 'GET', path: '/tenants/self/members', query } as const;
    return this.#send({ ...call, received: pageOf(everything) }, options);
  }

  async updateMember(
    id: string,
    model: { readonly role: TenantMember['role'] },
    options?: CallOptions,
  ): Promise<TenantMember> {
    return this.#send({ method: 'PUT', path: path`/tenants/self/members/${id}`, body: model }, options);
  }

  async deleteMember(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/tenants/self/members/${id}` }, options);
  }
}
