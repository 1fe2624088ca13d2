import { z } from '@hono/zod-openapi';
import { nextCursor } from '../../http/pages.ts';
import type { AuditLine } from '../../../core/accounts/audit-list.ts';

export const auditEntryBody = z
  .object({
    at: z.iso.datetime(),
    event: z.string().openapi({ description: 'The action.', example: 'key_regenerated' }),
    key: z.string().nullable().openapi({ description: 'Id of the key that the action applied to.' }),
    actor: z
      .string()
      .openapi({ description: 'Author of the action: the id of a key or of a user, or `cli`.' }),
    login: z.string().nullable().openapi({ description: 'Login of the author, if it is a user.' }),
    address: z
      .string()
      .nullable()
      .openapi({ description: 'IP address of the request. Null for the command line.' }),
    details: z.record(z.string(), z.unknown()),
  })
  .openapi('AuditEntry');

export const auditBody = z
  .object({
    entries: z.array(auditEntryBody),
    next: nextCursor,
  })
  .openapi('Audit');

export function toAuditEntryBody(line: AuditLine): z.infer<typeof auditEntryBody> {
  return {
    at: line.at.toISOString(),
    event: line.event,
    key: line.keyId,
    actor: line.actor,
    login: line.login,
    address: line.address,
    details: { ...line.details },
  };
}
