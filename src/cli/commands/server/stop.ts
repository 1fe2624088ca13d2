import { stopPrivateServer } from '../../../postgres-server/index.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Ends the private server, which otherwise runs on. Refuses while others are connected, unless forced. */
export const stop: Command<[], { readonly force?: boolean }> = async ({ config, output }, { force }) => {
  const { databaseUrl, home } = config();
  if (databaseUrl !== null) {
    output.result({ stopped: false }, () => 'DATABASE_URL is set: there is no private server to stop.');
    return exitCodes.done;
  }
  const result = await stopPrivateServer({ home, force: force === true });
  output.result({ stopped: result === 'stopped' }, () =>
    result === 'stopped'
      ? 'The private server has stopped. Its data stay.'
      : 'The private server does not run.',
  );
  return exitCodes.done;
};
