import { z } from '@hono/zod-openapi';
import { ownerKinds } from '../../../core/batches/batch-labels.ts';
import {
  linkDaysMax,
  linkDaysUsual,
  linkStates,
  sharedReportUrl,
  type ReportLink,
} from '../../../core/reports/report-links.ts';

/** Request for a link; the body is optional. */
export const reportLinkRequest = z
  .strictObject({
    days: z
      .int()
      .min(1)
      .max(linkDaysMax)
      .optional()
      .openapi({
        default: linkDaysUsual,
        description: `Days until the link expires, from 1 to ${linkDaysMax}.`,
      }),
  })
  .openapi('ReportLinkRequest');

/** Body of a link. */
export const reportLinkBody = z
  .object({
    id: z.string().openapi({ example: 'rpl_01a1ff734ad87655b2c761ba36458456' }),
    kind: z.enum(['batch', 'schedule']),
    subject: z
      .object({ id: z.string(), name: z.string() })
      .openapi({ description: 'The batch or schedule.' }),
    state: z.enum(linkStates).openapi({
      description:
        '`active`: the link works, unless its batch or schedule was deleted or purged. A link is also `revoked` when the user who created it was disabled, or its key revoked.',
    }),
    owner: z
      .object({ kind: z.enum(ownerKinds), id: z.string(), name: z.string().nullable() })
      .openapi({ description: 'Creator of the link: a user, a key or the command line.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    opened: z.int().min(0).openapi({ description: 'Number of times that the report was opened.' }),
    opened_at: z.iso.datetime().nullable().openapi({ description: 'Last time. Null: never.' }),
  })
  .openapi('ReportLink');

/** Body of a new link. */
export const createdReportLinkBody = reportLinkBody
  .extend({
    url: z.url().openapi({
      description: 'The link. It is returned only in this response.',
      example: 'https://nightshift.example.com/shared/reports/0cM3dWZ5mX1sH9qvB7tK2yLrA8eUoJ4nGfPiTzSxQhE',
    }),
  })
  .openapi('CreatedReportLink');

/** Body of a list of links. */
export const reportLinkListBody = z.object({ links: z.array(reportLinkBody) }).openapi('ReportLinkList');

export function toReportLinkBody(link: ReportLink): z.infer<typeof reportLinkBody> {
  const { kind, id, name } = link.subject;
  return {
    id: link.linkId,
    kind,
    subject: { id, name },
    state: link.state,
    owner: { ...link.owner },
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    opened: link.opened,
    opened_at: link.openedAt?.toISOString() ?? null,
  };
}

export function toCreatedReportLinkBody(
  link: ReportLink,
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
): z.infer<typeof createdReportLinkBody> {
  return { ...toReportLinkBody(link), url: sharedReportUrl(baseUrl, token) };
}
