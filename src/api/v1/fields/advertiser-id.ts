import { z } from '@hono/zod-openapi';
import { advertiserIdRemedy, parseAdvertiserId } from '../../../core/companies/advertiser-id.ts';
import { text } from '../../http/text.ts';

/** The id of an advertiser in a request, parsed: with its platform. */
export const advertiserIdField = text()
  .max(300)
  .transform((given, context) => {
    const id = parseAdvertiserId(given);
    if (id.kind === 'id') return id.advertiserId;
    context.addIssue({ code: 'custom', message: `is ${id.reason} (${advertiserIdRemedy})` });
    return z.NEVER;
  });
