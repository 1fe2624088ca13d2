import { z } from '@hono/zod-openapi';
import { scopes, type Scope } from '../../../core/accounts/api-key.ts';
import { text } from '../../http/text.ts';
import type { ApiKey, CreatedKey } from '../../../core/accounts/key-store.ts';

const scopeNames = z.array(z.enum(scopes as unknown as [Scope, ...Scope[]]));

export const apiKeyBody = z
  .object({
    id: z.string().openapi({ example: 'key_01a1ff734ad87655b2c761ba36458456' }),
    name: z.string(),
    hint: z.string().openapi({ description: 'Beginning and end of the key.', example: 'ns_live_Ab12…x9Yz' }),
    scopes: scopeNames,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time of the last request, to the minute. Null before the first.' }),
  })
  .openapi('ApiKey');

export const apiKeyListBody = z.object({ keys: z.array(apiKeyBody) }).openapi('ApiKeyList');

export const createdKeyBody = apiKeyBody
  .extend({ key: z.string().openapi({ description: 'The API key. Returned only once.' }) })
  .openapi('CreatedApiKey');

export const apiKeyRequest = z
  .strictObject({
    name: text().trim().min(1).max(200).default('unnamed').openapi({ description: 'Purpose of the key.' }),
    scopes: scopeNames
      .min(1)
      .optional()
      .openapi({ description: 'Scopes of the key. Default: all scopes of the caller except `admin`.' }),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'Time at which the key stops working. Default: never.' }),
  })
  .openapi('ApiKeyRequest');

export function toApiKeyBody(key: ApiKey): z.infer<typeof apiKeyBody> {
  return {
    id: key.keyId,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}

export function toCreatedKeyBody(created: CreatedKey): z.infer<typeof createdKeyBody> {
  return { key: created.key, ...toApiKeyBody(created) };
}
