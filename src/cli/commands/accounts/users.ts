import { createSignInLink } from '../../../core/accounts/sign-in.ts';
import { roles, type Role } from '../../../core/accounts/roles.ts';
import { isLogin } from '../../../core/accounts/user-rules.ts';
import type { User } from '../../../core/accounts/user-store.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { ValidationError } from '../../../core/errors.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';
import { fromHere, signInAddress } from './sign-in-link.ts';

const minutesMax = 30 * 24 * 60;

/** Options of `users add`. */
export interface AddUserOptions extends AccountOptions {
  readonly role: string;
  readonly minutes: string;
}

/** Lists the users of the console. */
export const users: Command<[], object> = async ({ app, output }) => {
  const found = await (await app()).accounts.users.list();
  output.result(found.map(userJson), () =>
    found.length === 0
      ? output.commands('No users yet. Add one with: nightshift users add LOGIN')
      : usersTable(found, output.tableColumns()),
  );
  return exitCodes.done;
};

function usersTable(found: readonly User[], columnsMax: number): string {
  return formatTable(
    [
      'login',
      { title: 'account', hide: 3 },
      'role',
      { title: 'password', hide: 1 },
      'state',
      { title: 'last sign-in', hide: 2 },
    ],
    found.map((user) => [
      user.login,
      user.account,
      user.role,
      user.hasPassword ? 'set' : 'none',
      user.disabledAt === null ? 'enabled' : 'disabled',
      user.lastSignInAt ?? 'never',
    ]),
    columnsMax,
  );
}

/** Adds a user and prints a link for the first sign-in. */
export const addUser: Command<[string], AddUserOptions> = async (context, options, login) => {
  if (!isLogin(login)) {
    throw new ValidationError(
      `Invalid login "${login}": must be an e-mail address or a name without blanks, of at most 254 characters.`,
    );
  }
  const role = parseRole(options.role);
  const minutes = parseMinutes(options.minutes);
  const {
    accounts: { users: store },
  } = await context.app();
  const { name, accountId } = await chooseAccount(context, options);
  const user = await store.add({ login, accountId, role }, fromHere);
  context.output.note(`Added ${user.login} to the account ${name} as ${role}.`);
  return showLink(context, user, minutes);
};

/** Creates a sign-in link for a user without a password. */
export const linkUser: Command<[string], { readonly minutes: string }> = async (context, options, login) => {
  const minutes = parseMinutes(options.minutes);
  const {
    accounts: { users: store },
  } = await context.app();
  return showLink(context, await store.find(login), minutes);
};

/** Changes the role of a user. */
export const setUserRole: Command<[string, string], object> = async (
  { app, output },
  _options,
  login,
  role,
) => {
  const user = await (await app()).accounts.users.setRole(login, parseRole(role), fromHere);
  output.result(userJson(user), () => `${user.login} now has the role ${user.role}.`);
  return exitCodes.done;
};

/** Disables a user and ends all their sessions. */
export const disableUser: Command<[string], object> = async ({ app, output }, _options, login) => {
  const user = await (await app()).accounts.users.setDisabled(login, true, fromHere);
  output.result(userJson(user), () => `${user.login} disabled and signed out everywhere.`);
  return exitCodes.done;
};

/** Enables a user. */
export const enableUser: Command<[string], object> = async ({ app, output }, _options, login) => {
  const user = await (await app()).accounts.users.setDisabled(login, false, fromHere);
  output.result(userJson(user), () => `${user.login} enabled.`);
  return exitCodes.done;
};

/** Ends all sessions of a user and invalidates unused links. */
export const signOutUser: Command<[string], object> = async ({ app, output }, _options, login) => {
  const {
    accounts: { users: store, sessions },
  } = await app();
  const user = await store.find(login);
  const ended = await sessions.endAll(user.userId, fromHere);
  output.result(
    { login: user.login, ended },
    () => `${user.login} signed out of ${counted(ended, 'session')}.`,
  );
  return exitCodes.done;
};

async function showLink({ app, output }: CommandContext, user: User, minutes: number): Promise<number> {
  const {
    accounts: { sessions },
    config,
  } = await app();
  const { baseUrl, host, port } = config.api;
  const link = await createSignInLink(sessions, user.login, { minutes, by: fromHere });
  const url = signInAddress(baseUrl ?? `http://${host}:${port}`, link);
  output.note(`The link works once, within ${minutes} minutes. Send it only to ${user.login}.`);
  output.result({ ...userJson(user), link: url }, () => url);
  return exitCodes.done;
}

function userJson(user: User) {
  return {
    id: user.userId,
    login: user.login,
    account: user.account,
    role: user.role,
    password: user.hasPassword,
    created: user.createdAt,
    disabled: user.disabledAt,
    lastSignIn: user.lastSignInAt,
  };
}

function parseRole(text: string): Role {
  const role = roles.find((each) => each === text);
  if (role === undefined)
    throw new ValidationError(`Unknown role "${text}". Known roles: ${roles.join(', ')}.`);
  return role;
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= minutesMax) return minutes;
  throw new ValidationError(`--minutes ${text}: must be an integer from 1 to ${minutesMax}.`);
}
