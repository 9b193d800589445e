import { apply } from './apply.ts';
import { can } from './can.ts';
import type { Command } from './command.ts';
import { completionOf } from './completion.ts';
import { diff } from './diff.ts';
import { draft } from './draft.ts';
import { dryRun } from './dry-run.ts';
import { init } from './init.ts';
import { deleteInvitation, invite, listInvitations, renewInvitation } from './invitations.ts';
import { invocations } from './invocations.ts';
import { invoke } from './invoke.ts';
import { login } from './login.ts';
import { logs } from './logs.ts';
import { changeRole, listMembers, removeMember } from './members.ts';
import { pull } from './pull.ts';
import { restore } from './restore.ts';
import { rollout } from './rollout.ts';
import { createToken, getToken } from './tokens.ts';
import { tryCode } from './try.ts';
import { types } from './types.ts';
import { verifyExportedLog } from './verify-export.ts';
import { versions } from './versions.ts';

/** In the order of the overview. */
export const commands: readonly Command[] = [
  login,
  init,
  pull,
  diff,
  apply,
  tryCode,
  dryRun,
  invoke,
  invocations,
  logs,
  verifyExportedLog,
  versions,
  restore,
  draft,
  rollout,
  createToken,
  getToken,
  can,
  listMembers,
  changeRole,
  removeMember,
  listInvitations,
  invite,
  renewInvitation,
  deleteInvitation,
  types,
  completionOf(() => commands),
];
