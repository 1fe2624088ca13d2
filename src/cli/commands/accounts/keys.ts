import { defaultScopes, scopes, type Scope } from '../../../core/accounts/api-key.ts';
import type { ApiKey, CreatedKey } from '../../../core/accounts/key-store.ts';
import { ValidationError } from '../../../core/errors.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `keys create`. */
export interface CreateKeyOptions extends AccountOptions {
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
}

const fromHere = { actor: 'cli', address: null };
const dayMs = 24 * 60 * 60 * 1000;

/** Lists the API keys of an account with their scopes and states, never the keys themselves. */
export const keys: Command<[], AccountOptions> = async (context, options) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const found = await app.accounts.keys.list(accountId);
  context.output.result(found.map(keyJson), () =>
    found.length === 0
      ? context.output.commands('No API keys yet. Create one with: nightshift keys create --name NAME')
      : keysTable(found, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function keysTable(found: readonly ApiKey[], columnsMax: number): string {
  return formatTable(
    [
      'id',
      'name',
      { title: 'key', hide: 1 },
      { title: 'scopes', hide: 2 },
      'state',
      { title: 'last used', hide: 3 },
    ],
    found.map((key) => [
      key.keyId,
      key.name,
      key.hint,
      key.scopes.join(' '),
      stateOf(key),
      key.lastUsedAt ?? 'never',
    ]),
    columnsMax,
  );
}

/** Creates an API key and shows it once. */
export const createKey: Command<[], CreateKeyOptions> = async (context, options) => {
  const key = {
    name: options.name,
    scopes: options.scopes === undefined ? defaultScopes : parseScopes(options.scopes),
    expiresAt: options.expires === undefined ? null : parseExpiry(options.expires),
  };
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return showOnce(context, await app.accounts.keys.create(accountId, key, fromHere));
};

/** Replaces an API key and shows the new one once. */
export const regenerateKey: Command<[string], AccountOptions> = async (context, options, keyId) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return showOnce(context, await app.accounts.keys.regenerate(accountId, keyId, fromHere));
};

/** Revokes an API key, with immediate effect. */
export const revokeKey: Command<[string], AccountOptions> = async (context, options, keyId) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const key = await app.accounts.keys.revoke(accountId, keyId, fromHere);
  context.output.result(keyJson(key), () => `${keyId} (${key.hint}) revoked.`);
  return exitCodes.done;
};

function showOnce({ output }: CommandContext, created: CreatedKey): number {
  output.note(`${created.keyId}: the key is shown only once. Store it securely.`);
  output.result({ key: created.key, ...keyJson(created) }, () => created.key);
  return exitCodes.done;
}

function keyJson({
  keyId,
  name,
  hint,
  scopes: allowed,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: ApiKey) {
  return {
    id: keyId,
    name,
    hint,
    scopes: allowed,
    created: createdAt,
    expires: expiresAt,
    revoked: revokedAt,
    lastUsed: lastUsedAt,
  };
}

function stateOf({ expiresAt, revokedAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
}

function parseScopes(text: string): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !scopes.some((scope) => scope === name));
  if (unknown !== undefined) {
    throw new ValidationError(`Unknown scope "${unknown}". Known scopes: ${scopes.join(', ')}.`);
  }
  return scopes.filter((scope) => names.includes(scope));
}

function parseExpiry(text: string): Date {
  const days = Number(text);
  if (!Number.isFinite(days) || days <= 0 || days > 36_500) {
    throw new ValidationError(`--expires ${text}: must be a number of days above 0, such as 90.`);
  }
  return new Date(Date.now() + days * dayMs);
}
