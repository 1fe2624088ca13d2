import { z } from '@hono/zod-openapi';
import type { AuditLine } from '../../../core/accounts/audit-list.ts';

export const auditEntryBody = z
  .object({
    at: z.iso.datetime(),
    event: z.string().openapi({ description: 'What happened.', example: 'key_regenerated' }),
    key: z.string().nullable().openapi({ description: 'The id of the key that it happened to.' }),
    actor: z.string().openapi({ description: 'Who did it: the id of a key or of a user, or `cli`.' }),
    login: z.string().nullable().openapi({ description: 'Of the user who did it, where it was one.' }),
    address: z.string().nullable().openapi({ description: 'Where it came from; null for the command line.' }),
    details: z.record(z.string(), z.unknown()),
  })
  .openapi('AuditEntry');

export const auditBody = z
  .object({
    entries: z.array(auditEntryBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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
